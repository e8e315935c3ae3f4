"""What is made of facts: letters and pages from templates, pictures, workbooks, the site."""

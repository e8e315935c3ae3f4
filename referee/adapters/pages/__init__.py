"""The forms that facts take: letters and pages from templates, pictures, workbooks, the site."""

"""What players decide together: petitions. All other dealing stands in the classes of orders/dealing."""

"""Events of war: on land, at sea, in the air; arms taken up and laid down."""

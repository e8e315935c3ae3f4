"""How orders name units and goods."""

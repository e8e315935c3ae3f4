"""Empire, tested part by part."""

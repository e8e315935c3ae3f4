"""What units can do in Version 1.7 where it differs from Version 27: entry, marching, exploring."""

"""What a monitor sees of the service: its health as JSON, its figures as Prometheus reads them, on a port of their own."""

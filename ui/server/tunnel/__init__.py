"""Messages of pages whose browser refuses a socket."""

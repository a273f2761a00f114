"""The audit of the traffic and the written files of every part of the product."""

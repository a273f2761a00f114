"""The files of pictures: opened, copied without their details, compared."""

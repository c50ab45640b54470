def write(path, cells, options, store_name, left_out):
    path.write_text("")

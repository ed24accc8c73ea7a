# cmake -DOUT=FILE.cpp "-DNAMES=name;..." "-DFILES=file+file;..." -P embed.cmake: texts as members of page_files. Files
# joined by + become one text.
set(code "#include \"platform/report/html_text.h\"\n\nnamespace muster::page_files {\n")
foreach(name files IN ZIP_LISTS NAMES FILES)
  string(REPLACE "+" ";" files "${files}")
  set(hex "")
  foreach(file ${files})
    file(READ ${file} content HEX)
    string(APPEND hex ${content})
  endforeach()
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(APPEND code "namespace {\nconst unsigned char ${name}_bytes[] = {${bytes}};\n}\n"
    "const std::string_view ${name}(reinterpret_cast<const char*>(${name}_bytes), sizeof ${name}_bytes);\n")
endforeach()
file(WRITE ${OUT} "${code}}  // namespace muster::page_files\n")

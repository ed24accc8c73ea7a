# Headers of platform/ include each other as "platform/..". Where they are installed, others include them, and they each
# other, as "muster/platform/..": a folder of the name `platform` may well be in somebody's project.
# @param headers the folder into which they have been installed
file(GLOB_RECURSE installed ${headers}/*.h)
foreach(header IN LISTS installed)
  file(READ ${header} text)
  string(REPLACE "#include \"platform/" "#include \"muster/platform/" text "${text}")
  file(WRITE ${header} "${text}")
endforeach()

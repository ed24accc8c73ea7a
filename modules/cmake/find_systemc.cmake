# SystemC::systemc, from SystemC's own package or, as in Debian, from pkg-config; and muster_systemc_version, its version,
# which is empty where a project has the target from elsewhere.
find_package(SystemCLanguage CONFIG QUIET)
if(SystemCLanguage_FOUND)
  set(muster_systemc_version ${SystemCLanguage_VERSION})
  set(muster_systemc_folder ${SystemCLanguage_DIR})
elseif(NOT TARGET SystemC::systemc)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(systemc REQUIRED QUIET IMPORTED_TARGET systemc tlm)
  set(muster_systemc_version ${systemc_systemc_VERSION})
  set(muster_systemc_folder ${systemc_systemc_LIBDIR})
  # Not an alias: this is the name under which the installed package asks for it again.
  add_library(SystemC::systemc INTERFACE IMPORTED)
  target_link_libraries(SystemC::systemc INTERFACE PkgConfig::systemc)
endif()

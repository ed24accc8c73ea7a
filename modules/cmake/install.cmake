# What `cmake --install` leaves behind: the libraries with their headers and a CMake package, the program, the scenarios.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/muster)
install(TARGETS muster_policies muster_modules muster_library EXPORT muster-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# A component of its own, which is found without what the others need.
install(TARGETS muster_protocol_checker EXPORT muster-protocol-checker-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/policies ${PROJECT_SOURCE_DIR}/modules
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/muster FILES_MATCHING PATTERN "*.h" PATTERN cmake EXCLUDE)
install(EXPORT muster-targets NAMESPACE muster:: DESTINATION ${package_folder})
install(EXPORT muster-protocol-checker-targets NAMESPACE muster:: DESTINATION ${package_folder})
# The component `model`: a cluster from a scenario, and what it needs of platform/.
foreach(folder random toml tables imported_fmu model metrics log scenario theory cautions trace simulation cluster)
  set_target_properties(muster_${folder} PROPERTIES EXPORT_NAME platform_${folder})
  install(TARGETS muster_${folder} EXPORT muster-model-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/platform/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/muster/platform
    FILES_MATCHING PATTERN "*.h")
endforeach()
# The component `cluster_process`: a cluster in a process of its own, without SystemC.
set_target_properties(muster_cluster_process PROPERTIES EXPORT_NAME cluster_process)
install(TARGETS muster_cluster_process EXPORT muster-cluster-process-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT muster-cluster-process-targets NAMESPACE muster:: DESTINATION ${package_folder})
install(FILES ${PROJECT_SOURCE_DIR}/platform/cluster_process/cluster_process.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/muster/platform/cluster_process)
install(CODE "set(headers \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/muster/platform\")")
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/installed_headers.cmake)
add_library(muster_model_library INTERFACE)
target_link_libraries(muster_model_library INTERFACE muster_cluster fmt::fmt)
set_target_properties(muster_model_library PROPERTIES EXPORT_NAME model)
install(TARGETS muster_model_library EXPORT muster-model-targets)
install(EXPORT muster-model-targets NAMESPACE muster:: DESTINATION ${package_folder})
install(FILES ${PROJECT_BINARY_DIR}/generated/muster/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/muster)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/muster-config.cmake.in
  ${PROJECT_BINARY_DIR}/generated/muster-config.cmake INSTALL_DESTINATION ${package_folder})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/muster-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/muster-config.cmake
  ${PROJECT_BINARY_DIR}/generated/muster-config-version.cmake ${CMAKE_CURRENT_LIST_DIR}/find_clp.cmake
  ${CMAKE_CURRENT_LIST_DIR}/find_systemc.cmake ${CMAKE_CURRENT_LIST_DIR}/find_cci.cmake
  DESTINATION ${package_folder})

install(TARGETS muster RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS muster_fmu LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/muster)
# What importers of FMUs include.
install(FILES ${PROJECT_SOURCE_DIR}/platform/fmi/fmi3.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/muster/platform/fmi)
if(TARGET muster_mpi)
  install(TARGETS muster_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/muster COMPONENT mpi)
endif()
install(FILES ${PROJECT_BINARY_DIR}/generated/muster.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_BINARY_DIR}/generated/muster.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME muster)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenarios DESTINATION ${CMAKE_INSTALL_DATADIR}/muster)
# The documents, in the folders that their links name, and the pictures of the first.
set(documents)
foreach(storey modules platform policies scenarios tests)
  file(GLOB_RECURSE own CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${storey}/*.md)
  list(REMOVE_ITEM own modules/main_page.md)  # of the pages that Doxygen makes
  list(APPEND documents ${own})
endforeach()
foreach(document README.md ${documents})
  get_filename_component(folder ${document} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/${document} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder})
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/scenarios/quickswap_four_class.svg DESTINATION ${CMAKE_INSTALL_DOCDIR}/scenarios)
install(FILES ${PROJECT_SOURCE_DIR}/platform/architecture.svg DESTINATION ${CMAKE_INSTALL_DOCDIR}/platform)
foreach(document LICENSE CONTRIBUTING.md CHANGELOG.md)
  install(FILES ${PROJECT_SOURCE_DIR}/${document} DESTINATION ${CMAKE_INSTALL_DOCDIR})
endforeach()
# The complete projects that the documents name.
foreach(example cci_broker cluster_from_scenario cluster_process control device_on_unicorn device_on_verilator
    fmu_importer foreign_client foreign_fmu foreign_policy foreign_server larger_model library protocol_checker_alone)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/tests/packaging/${example} DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples
    USE_SOURCE_PERMISSIONS)
endforeach()

# Pages of the public interface: the target `doc`, where Doxygen is at hand.
find_package(Doxygen QUIET)
if(DOXYGEN_FOUND)
  set(DOXYGEN_WARN_AS_ERROR FAIL_ON_WARNINGS)
  set(DOXYGEN_WARN_IF_INCOMPLETE_DOC NO)  # a parameter whose name says it all needs no more
  set(DOXYGEN_STRIP_FROM_PATH ${PROJECT_SOURCE_DIR})
  set(DOXYGEN_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/doc)
  set(DOXYGEN_FILE_PATTERNS *.h)
  set(DOXYGEN_EXTRACT_ALL YES)
  set(DOXYGEN_HAVE_DOT NO)
  set(DOXYGEN_MACRO_EXPANSION YES)
  set(DOXYGEN_EXPAND_ONLY_PREDEF YES)
  set(DOXYGEN_PREDEFINED "__extension__=" "TLM_DECLARE_EXTENDED_PHASE(name)=extern const tlm::tlm_phase name")
  set(DOXYGEN_USE_MDFILE_AS_MAINPAGE modules/main_page.md)
  set(DOXYGEN_HTML_EXTRA_FILES ${PROJECT_SOURCE_DIR}/platform/architecture.svg)
  doxygen_add_docs(doc modules/main_page.md policies modules ${PROJECT_BINARY_DIR}/generated/muster/version.h
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  install(DIRECTORY ${PROJECT_BINARY_DIR}/doc/html DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
endif()

# `cpack -G DEB` in the build folder: muster, muster-mpi, which runs studies on several machines, and python3-muster.
set(debian ${CMAKE_CURRENT_LIST_DIR}/debian)
execute_process(COMMAND gzip -9nc ${debian}/changelog OUTPUT_FILE ${PROJECT_BINARY_DIR}/generated/changelog.gz
  COMMAND_ERROR_IS_FATAL ANY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${debian}/changelog)
set(debian_texts ${debian}/copyright ${PROJECT_BINARY_DIR}/generated/changelog.gz)
install(FILES ${debian_texts} DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET muster_mpi)
  install(FILES ${debian_texts} DESTINATION ${CMAKE_INSTALL_DOCDIR}-mpi COMPONENT mpi)
  list(APPEND further_packages mpi)
endif()
if(TARGET muster_python)
  install(FILES ${debian_texts} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-muster COMPONENT python)
  list(APPEND further_packages python)
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "clusters of muster as objects in Python")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-muster)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  # A module is loaded by the minor version of Python that it was built for.
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "muster (= ${PROJECT_VERSION}), python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_minor})")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS python3-pandas)
endif()
set(CPACK_PACKAGE_NAME muster)
set(CPACK_PACKAGE_CONTACT "muster maintainers <maintainers@muster.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES YES)
set(CPACK_COMPONENTS_ALL Unspecified ${further_packages})
set(CPACK_DEB_COMPONENT_INSTALL YES)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS YES)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME muster)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_DEPENDS gnuplot-nox)  # draws figures/*.svg
# What foreign projects compile against, and several machines.
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_RECOMMENDS
  "muster-mpi, cmake, pkg-config, libsystemc-dev, libboost-dev, libfmt-dev, coinor-libclp-dev, \
libboost-graph-dev, libboost-random-dev, libtomlplusplus-dev, zlib1g-dev, libzstd-dev, libzip-dev, libpugixml-dev")
set(CPACK_COMPONENT_MPI_DESCRIPTION "studies of muster on several machines, over MPI")
set(CPACK_DEBIAN_MPI_PACKAGE_NAME muster-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "muster (= ${PROJECT_VERSION}), openmpi-bin")
include(CPack)

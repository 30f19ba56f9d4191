# attn.exe: one file that needs no DLL, with a manifest and as much stack as elsewhere.
enable_language(RC)
target_sources(attn_main PRIVATE platform/windows/attn.rc)
target_link_options(attn_main PRIVATE -static -Wl,--stack,8388608)

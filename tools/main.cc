#include "tools/tool.h"

int main(int argc, char** argv) { return opcompat::RunTool(argc, argv); }

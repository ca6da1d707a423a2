import { cacheCompiledCode } from "../../src/main/processes/compile-cache.ts";

/*
 * Loaded first in each process that runs a test file (`--import` in vitest.config.ts). What it compiles is kept for the next file,
 * and for the processes of Sluice that tests start. Node writes this cache when a process exits; vitest ends its processes with
 * SIGTERM, which by default leaves no time for that.
 */
cacheCompiledCode();
const exit = process.exit.bind(process);
process.once("SIGTERM", () => exit());

import { targets } from "../targets/targets.ts";
import { fuzzInThread } from "./fuzz-in-thread.ts";

/* The thread of `runTarget` for the targets that are fuzzed. */

await fuzzInThread(targets);

import { connect } from "../../src/db/connect.ts";
import { silentLogger } from "../../src/kernel/logger.ts";
import { systemClock } from "../../src/kernel/system-clock.ts";
import { dispatchContext, startDispatcher } from "./dispatching.ts";

// A dispatcher in a process of its own, for tests to kill.

const url = process.argv[2] ?? "";
startDispatcher(dispatchContext(connect({ url, clock: systemClock, logger: silentLogger })));

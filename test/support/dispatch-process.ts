import { connect } from "../../src/platform/db/connect.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { dispatchContext, startDispatcher } from "./dispatching.ts";

// A dispatcher in a separate process, for tests to kill.

const url = process.argv[2] ?? "";
startDispatcher(dispatchContext(connect({ url, clock: systemClock, logger: silentLogger })));

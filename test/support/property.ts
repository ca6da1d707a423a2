import * as fc from "fast-check";
import { seed } from "./seed.ts";

// Every property test of a run gets its seed from one place, so that a failure is caused by the change and can be repeated.
// `npm run mutate` runs a property for hundreds of changes, and limits each run.
const limitMs = process.env["SLUICE_TEST_PROPERTY_MS"];
fc.configureGlobal({
  seed,
  ...(limitMs === undefined ? {} : { plugins: [fc.interruptAfterTimeLimit(Number(limitMs))] }),
});

export { fc };

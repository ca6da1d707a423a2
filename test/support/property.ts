import * as fc from "fast-check";
import { seed } from "./seed.ts";

// Every property test of a run gets its seed from one place, so that a failure is caused by the change and can be repeated.
fc.configureGlobal({ seed });

export { fc };

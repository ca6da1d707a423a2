import * as fc from "fast-check";
import { seed } from "./seed.ts";

// Every property of a run has its seed from one place, so that a failure is about the change and can be had again.
fc.configureGlobal({ seed });

export { fc };

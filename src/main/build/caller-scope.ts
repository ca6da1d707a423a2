import { AsyncLocalStorage } from "node:async_hooks";
import type { Caller, CallerScope } from "../../platform/kernel/caller.ts";

/** The scope of one process: its server says who calls, its database asks. */
export function createCallerScope(): CallerScope {
  const storage = new AsyncLocalStorage<Caller>();
  return {
    run: (caller, work) => storage.run(caller, work),
    current: () => storage.getStore() ?? null,
  };
}

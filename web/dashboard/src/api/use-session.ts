import { useSyncExternalStore } from "react";
import { session } from "./api.ts";

/** Whether somebody is signed in; renders again when that changes. */
export function useIsSignedIn(): boolean {
  return useSyncExternalStore(session.subscribe, () => session.token() !== null);
}

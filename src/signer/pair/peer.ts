import type { Clock } from "../../platform/kernel/clock.ts";
import { createSignerConnection } from "../signer-connection.ts";
import type { PairSettings } from "./pair-settings.ts";
import type { ReplicaAction, ReplicaReply } from "./replica-protocol.ts";

/** The standby as the active signer sees it. */
export type Peer = {
  /** Rejects if the standby does not answer in time, or refuses. */
  readonly ask: (action: ReplicaAction) => Promise<ReplicaReply>;
  readonly close: () => void;
};

/**
 * Connects to the standby at the first question, in the name of the active signer of `epoch`; see `ReplicaCall` for `session`. A standby that does not answer is
 * given up after half of the time after which it takes over, so that an active signer that is cut off from it has itself removed
 * it by then.
 */
export function connectToPeer(
  { name, peer, takeoverSeconds }: Pick<PairSettings, "name" | "peer" | "takeoverSeconds">,
  { epoch, session }: { readonly epoch: number; readonly session: number },
  clock: Clock,
): Peer {
  const timeoutMs = takeoverSeconds * 500;
  const connection = createSignerConnection({ kind: "remote", ...peer }, clock, { highest: 0 });
  return {
    ask: async (action) => {
      const call = { method: "replica", epoch, from: name, session, action } as const;
      const reply = (await connection.call(call, timeoutMs)) as ReplicaReply;
      if (reply.kind === "refused") throw new Error(reply.reason);
      return reply;
    },
    close: () => {
      connection.drop("the active signer gave it up");
    },
  };
}

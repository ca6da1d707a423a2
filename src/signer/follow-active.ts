import type { Clock } from "../platform/kernel/clock.ts";
import { Unavailable } from "../platform/kernel/unavailable.ts";
import type { SignerCall } from "./protocol.ts";
import type { SignerAddress } from "./signer-address.ts";
import {
  createSignerConnection,
  type KnownEpoch,
  NotActive,
  type SignerConnection,
  SignerFailed,
} from "./signer-connection.ts";

/** How long a call is pending before it is probed whether the signer still answers, and again after each answer. */
const probeAfterMs = 2_000;
const probeTimeoutMs = 5_000;

/**
 * A connection to whichever of the signers is active. A call that the standby refused goes to the other one. After any other
 * failure the next call does: a call whose answer was lost may have taken effect. A signer that answers no probe while a call
 * is pending is given up, since a paused process keeps its connections, and one that is cut off from the other keeps waiting.
 */
export function followActive(addresses: readonly SignerAddress[], clock: Clock): SignerConnection {
  const epochs: KnownEpoch = { highest: 0 };
  const connect = (address: SignerAddress): SignerConnection =>
    createSignerConnection(address, clock, epochs);
  const signers = addresses.map((address) => ({
    connection: connect(address),
    probe: connect(address),
  }));
  let current = 0;
  const inUse = () => {
    const signer = signers[current % signers.length];
    if (signer === undefined) throw new Unavailable("signer", "no address is configured");
    return signer;
  };

  const watch = async (signer: ReturnType<typeof inUse>, signal: AbortSignal): Promise<void> => {
    for (;;) {
      await clock.sleep(probeAfterMs, signal);
      if (signal.aborted) return;
      try {
        // A question that the active signer answers only after the other one or the witness has confirmed it.
        await signer.probe.call({ method: "readMark" }, probeTimeoutMs);
      } catch (error) {
        const isAlive = error instanceof NotActive || error instanceof SignerFailed;
        if (!isAlive) signer.connection.drop("the signer does not answer");
      }
    }
  };

  const call = async (request: SignerCall, timeoutMs: number): Promise<unknown> => {
    for (let refusals = 0; ; refusals += 1) {
      const signer = inUse();
      const done = new AbortController();
      void watch(signer, done.signal);
      try {
        return await signer.connection.call(request, timeoutMs);
      } catch (error) {
        // Another call may have moved on already.
        const isAlive = error instanceof SignerFailed;
        if (inUse() === signer && !isAlive) current += 1;
        if (!(error instanceof NotActive) || refusals + 1 >= signers.length) throw error;
      } finally {
        done.abort();
      }
    }
  };

  return {
    call,
    drop: (message) => {
      for (const { connection, probe } of signers) {
        connection.drop(message);
        probe.drop(message);
      }
    },
    certificateExpiries: () => inUse().connection.certificateExpiries(),
  };
}

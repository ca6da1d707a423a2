import { createHash } from "node:crypto";
import { present } from "../../src/platform/kernel/assert.ts";
import type { Instant } from "../../src/platform/kernel/clock.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import {
  DraftRefused,
  type DraftSigner,
  type InspectedDraft,
} from "../../src/signer/draft-signer.ts";
import type { SpendIntent } from "../../src/signer/intent.ts";

/** A minimal draft: its claims, its payments, its fee. */
export type PlainDraft = {
  readonly inputs: readonly string[];
  readonly outputs: readonly { readonly address: string; readonly units: string }[];
  readonly fee: string;
  /** Microseconds since 1970, or absent: then it never expires. */
  readonly until?: number;
};

const keyPath = "m/84'/1'/0'/0/0";

/**
 * Signs minimal drafts: a real draft signer that parses, judges and signs, for a chain that does not exist. `facts`: what else it
 * says of a draft with these claims.
 */
export function createPlainDraftSigner(
  chain: string,
  cold: string | null = null,
  facts: (claims: readonly string[]) => Partial<InspectedDraft> = () => ({}),
): DraftSigner {
  return {
    chain,
    inspect: (body, intent) => {
      const draft = readDraft(body);
      const paid = draft.outputs.map(({ address, units }) => `${address} ${units}`).sort();
      const meant = meantBy(intent, cold).sort();
      if (paid.join() !== meant.join()) throw new DraftRefused("it pays something else");
      const expiry =
        draft.until === undefined
          ? {}
          : {
              validity: { kind: "time", until: draft.until as Instant } as const,
              sender: "the-hot-account",
            };
      const { fee, inputs: claims } = draft;
      return { claims, feeUnits: BigInt(fee), ...expiry, ...facts(claims) };
    },
    sign: (body, keys) => {
      const { inputs, outputs, fee, until } = readDraft(body);
      const message = Buffer.from(JSON.stringify([chain, inputs, outputs, fee, until]));
      const digest = createHash("sha256").update(message).digest();
      const key = keys.at(keyPath);
      const raw = Buffer.concat([message, key.sign(digest)]);
      key.wipePrivateData();
      return { txid: createHash("sha256").update(raw).digest("hex"), raw: new Uint8Array(raw) };
    },
  };
}

function meantBy(intent: SpendIntent, cold: string | null): string[] {
  if (intent.kind === "payout") {
    return intent.payouts.map(({ address, units }) => `${address} ${units}`);
  }
  return intent.kind === "cold" ? [`${present(cold, "a cold address")} ${intent.units}`] : [];
}

function readDraft(body: JsonObject): PlainDraft {
  const { inputs, outputs, fee, until } = body as unknown as Omit<PlainDraft, "fee"> & {
    fee: unknown;
  };
  if (typeof fee !== "string" || !/^\d+$/.test(fee)) throw new DraftRefused("no fee");
  if (Object.keys(body).length !== (until === undefined ? 3 : 4))
    throw new DraftRefused("more than is known");
  // A body of another form throws here, as in any careless decoder.
  return {
    inputs: inputs.map(String),
    outputs: outputs.map(({ address, units }) => ({ address, units })),
    fee,
    ...(until === undefined ? {} : { until }),
  };
}

import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { chainAsset } from "../../src/currencies/currency.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { addSeconds } from "../../src/platform/kernel/clock.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { Unavailable } from "../../src/platform/kernel/unavailable.ts";
import {
  type SignedPayout,
  type SignedSpend,
  type SignOutcome,
  signApproval,
} from "../../src/signer/intent.ts";
import { deriveKeys } from "../../src/signer/keys/derive-keys.ts";
import { sealKeys } from "../../src/signer/keys/key-ring.ts";
import { openDesk } from "../../src/signer/open-desk.ts";
import type { SignerCall } from "../../src/signer/protocol.ts";
import { rights } from "../../src/signer/remote/rights.ts";
import type { PayoutSigner } from "./journalling-signer.ts";
import { type SignerParts, simulatedChainName } from "./payout-site.ts";
import { createPowerLossDisk, type PowerLossDisk, replaceFileSystem } from "./power-loss-disk.ts";
import type { Seeded } from "./seeded.ts";
import { createSimulatedDraftSigner } from "./simulated-draft-signer.ts";

/*
 * The real signer (`src/signer`: checks, journals, audit log, draft signer) without its processes, in a folder on a disk that loses
 * what was not synced. It dies during any operation on that disk and starts again from what the disk kept.
 */

export type DiskSigner = PayoutSigner & {
  readonly faults: {
    outage: boolean;
    /** Whether its answers get lost. */
    answer: "fine" | "lost";
    /** The operation on the disk during which its process dies, counted from now; null if it lives. */
    diesAt: number | null;
    /** Whether its machine loses power when it dies. */
    losesPower: boolean;
  };
  /** How often it died, and lost power. */
  readonly counts: () => { readonly deaths: number; readonly powerLosses: number };
};

type Opened = Awaited<ReturnType<typeof openDesk>>;

const folder = "/simulated-signer";
const folderOfCopy = "/simulated-signer-copy";

/** The disk of the newest signer: histories in a process run one after the other. */
let disk: PowerLossDisk | null = null;
replaceFileSystem(() => present(disk, "a signer's disk"), [`${folder}/`, `${folderOfCopy}/`]);

/** Seconds between the clocks of signer and worker at most. */
const skewMax = 30;

/** Creates it with an empty disk. What the disk loses, whether a second one holds a copy, and how far the signer's clock is off follow from the seed. */
export function createDiskSigner(
  { clock, currencies, own }: SignerParts,
  seeded: Seeded,
): DiskSigner {
  const ownDisk = createPowerLossDisk(seeded.fraction);
  disk = ownDisk;
  const copyFolder = seeded.chance(0.5) ? folderOfCopy : null;
  const skew = seeded.between(-skewMax, skewMax);
  const approval = generateKeyPairSync("ed25519");
  const approvalKey = Buffer.from(
    present(approval.publicKey.export({ format: "jwk" }).x, "a public key"),
    "base64url",
  ).toString("base64");
  const faults: DiskSigner["faults"] = {
    outage: false,
    answer: "fine",
    diesAt: null,
    losesPower: false,
  };
  const counts = { deaths: 0, powerLosses: 0 };
  const answered = new Set<string>();
  let opened: Opened | null = null;

  const assetOf = (id: string) => {
    const currency = currencies.find(id);
    return currency === null ? null : chainAsset(currency);
  };
  const draftSigner = createSimulatedDraftSigner(simulatedChainName, assetOf, (address) =>
    own.has(address),
  );

  const open = (): Promise<Opened> => {
    const entropy = new Uint8Array(32).fill(7);
    const keys = sealKeys(entropy, systemRandom);
    const parts = {
      clock: { ...clock, now: () => addSeconds(clock.now(), skew) },
      logger: silentLogger,
    };
    return openDesk(
      { folder, copyFolder, network: "test", keyTrees: [] },
      {
        ...deriveKeys(entropy, "test", []),
        ...parts,
        keys,
        options: {
          folder,
          copyFolder,
          limitsWhenAbsent: "none",
          approvalKeys: [approvalKey],
          findAsset: (_, currency) => assetOf(currency),
          draftSigners: () => [draftSigner],
        },
      },
    );
  };

  const call = (desk: Opened, requested: SignerCall): Promise<unknown> =>
    desk.answer({ id: 1, epoch: 0, call: requested, traceparent: null }, rights);

  /** What it answered once is in its journal forever. */
  const assertRemembers = async (desk: Opened): Promise<void> => {
    const known = new Set<string>();
    for (let after = 0; ; ) {
      const page = (await call(desk, {
        method: "signedSpends",
        chain: simulatedChainName,
        after,
      })) as readonly SignedSpend[];
      for (const { txid } of page) known.add(txid);
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.sequence;
    }
    const forgotten = [...answered].filter((txid) => !known.has(txid));
    assert.deepEqual(forgotten, [], "the signer forgot what it signed");
  };

  const die = (): void => {
    opened = null;
    counts.deaths += 1;
    if (faults.losesPower) {
      counts.powerLosses += 1;
      ownDisk.losePower(seeded.fraction);
    }
    faults.diesAt = null;
    ownDisk.startProcess(null);
  };

  const ask = async (requested: SignerCall): Promise<unknown> => {
    if (faults.outage) throw new Unavailable("signer", "the signer is off");
    if (faults.diesAt !== null) ownDisk.endAt(faults.diesAt);
    faults.diesAt = null;
    try {
      if (opened === null) {
        const desk = await open();
        await assertRemembers(desk);
        opened = desk;
      }
      return await call(opened, requested);
    } catch (error) {
      if (!ownDisk.hasEnded()) throw error;
      die();
      throw new Unavailable("signer", "its process died", error);
    }
  };

  return {
    faults,
    counts: () => counts,
    approve: (intent) => signApproval(approval.privateKey, intent),
    recover: () => {
      Object.assign(faults, { outage: false, answer: "fine", diesAt: null, losesPower: false });
      ownDisk.endAt(null);
    },
    sign: async (request) => {
      const outcome = (await ask({ method: "sign", request })) as SignOutcome;
      if (faults.answer === "lost") throw new Unavailable("signer", "no answer");
      if (outcome.kind === "signed") answered.add(outcome.txid);
      return outcome;
    },
    signedSpends: async (chain, after) =>
      (await ask({ method: "signedSpends", chain, after })) as readonly SignedSpend[],
    payoutsSigned: async (payoutIds) =>
      (await ask({ method: "payoutsSigned", payoutIds })) as readonly SignedPayout[],
  };
}

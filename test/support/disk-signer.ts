import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { chainAsset } from "../../src/currencies/currency.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { addSeconds } from "../../src/platform/kernel/clock.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { Unavailable } from "../../src/platform/kernel/unavailable.ts";
import { backUpFolder } from "../../src/signer/backup-folder.ts";
import {
  type SignedPayout,
  type SignedSpend,
  type SignOutcome,
  signApproval,
} from "../../src/signer/intent.ts";
import { deriveKeys } from "../../src/signer/keys/derive-keys.ts";
import { sealKeys } from "../../src/signer/keys/key-ring.ts";
import { openDesk } from "../../src/signer/open-desk.ts";
import type { DatabaseMark, MarkOutcome, SignerCall } from "../../src/signer/protocol.ts";
import { rights } from "../../src/signer/remote/rights.ts";
import { planRestore } from "../../src/signer/restore-folder.ts";
import type { SignerClient } from "../../src/signer/signer-client.ts";
import type { PayoutSigner } from "./journalling-signer.ts";
import type { PaidTransaction } from "./paying-chain.ts";
import { signedBy } from "./paying-node.ts";
import { type SignerParts, simulatedChainName } from "./payout-site.ts";
import { createPowerLossDisk, type PowerLossDisk, replaceFileSystem } from "./power-loss-disk.ts";
import type { Seeded } from "./seeded.ts";
import { createSimulatedDraftSigner } from "./simulated-draft-signer.ts";

/*
 * The real signer (`src/signer`: checks, journals, audit log, draft signer) without its processes, in a folder on a disk that loses
 * what was not synced. It dies during any operation on that disk and starts again from what the disk kept. Its folder is backed up and
 * restored by the code of `sluice backup` and `sluice restore`.
 */

/** A transaction that it signed, as far as others can be mined beside it. */
export type Signature = Pick<PaidTransaction, "txid" | "claims" | "validity"> & {
  /** Whom its payouts pay. */
  readonly receivers: readonly string[];
};

export type DiskSigner = PayoutSigner &
  Pick<SignerClient, "readMark" | "mark"> & {
    readonly faults: {
      outage: boolean;
      /** Whether its answers get lost. */
      answer: "fine" | "lost";
      /** The operation on the disk during which its process dies, counted from now; null if it lives. */
      diesAt: number | null;
      /** Whether its machine loses power when it dies. */
      losesPower: boolean;
    };
    /** What every operation on its disk waits for, if anything. */
    readonly pauseBefore: PowerLossDisk["pauseBefore"];
    /** What it ever returned as signed, in this order. */
    readonly signatures: () => readonly Signature[];
    /** Whether its journal, or the copy of it, has the transaction. */
    readonly hasJournalled: (txid: string) => boolean;
    /** Backs up its folder while it runs; null if it died before that was done. */
    readonly backUp: () => Promise<FolderCopy | null>;
    /** Loses its folder, and the journals' copy if `losesCopy`, and restores it from the backup. */
    readonly restoreFolder: (backup: FolderCopy, losesCopy: boolean) => Promise<void>;
    /** A snapshot of its disks. The result puts it back. */
    readonly snapshot: () => () => void;
    /** How often it died, and lost power. */
    readonly counts: () => { readonly deaths: number; readonly powerLosses: number };
  };

/** The folder of a backup. */
export type FolderCopy = { readonly path: string };

type Opened = Awaited<ReturnType<typeof openDesk>>;

const folder = "/simulated-signer";
const folderOfCopy = "/simulated-signer-copy";
const folderOfBackups = "/simulated-signer-backups";

/** The disk of the newest signer: histories in a process run one after the other. */
let disk: PowerLossDisk | null = null;
replaceFileSystem(
  () => present(disk, "a signer's disk"),
  [folder, folderOfCopy, folderOfBackups].map((each) => `${each}/`),
);

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
  const signatures = new Map<string, Signature>();
  /** Its folder is from an older backup: what it has signed since is lost. */
  let mayForget = false;
  let backups = 0;
  ownDisk.place(join(folder, "keystore.json"), "{}");
  /** Shared by requests that arrive while it starts. */
  let opening: Promise<Opened> | null = null;

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
    if (mayForget) for (const txid of forgotten) answered.delete(txid);
    else assert.deepEqual(forgotten, [], "the signer forgot what it signed");
    mayForget = false;
  };

  const start = async (): Promise<Opened> => {
    const desk = await open();
    await assertRemembers(desk);
    return desk;
  };

  const die = (): void => {
    opening = null;
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
    const life = counts.deaths;
    try {
      opening ??= start();
      const answer = await call(await opening, requested);
      if (life === counts.deaths) return answer;
    } catch (error) {
      // The first of its requests to notice it.
      if (life === counts.deaths) {
        if (!ownDisk.hasEnded()) throw error;
        die();
      }
    }
    throw new Unavailable("signer", "its process died");
  };

  const note = ({ body, intent }: Pick<SignedSpend, "body" | "intent">): void => {
    const { txid, claims, validity } = signedBy(body);
    const payouts = intent.kind === "payout" ? intent.payouts : [];
    const receivers = payouts.map(({ address }) => address);
    if (!signatures.has(txid)) signatures.set(txid, { txid, claims, validity, receivers });
  };

  /** Nothing of what ran in its machine runs on. */
  const stop = (): void => {
    opening = null;
    faults.diesAt = null;
    ownDisk.startProcess(null);
  };

  return {
    faults,
    counts: () => counts,
    approve: (intent) => signApproval(approval.privateKey, intent),
    pauseBefore: ownDisk.pauseBefore,
    recover: () => {
      Object.assign(faults, { outage: false, answer: "fine", diesAt: null, losesPower: false });
      ownDisk.endAt(null);
    },
    sign: async (request) => {
      const outcome = (await ask({ method: "sign", request })) as SignOutcome;
      if (outcome.kind === "signed") note(request);
      if (faults.answer === "lost") throw new Unavailable("signer", "no answer");
      if (outcome.kind === "signed") answered.add(outcome.txid);
      return outcome;
    },
    signedSpends: async (chain, after) => {
      const page = (await ask({
        method: "signedSpends",
        chain,
        after,
      })) as readonly SignedSpend[];
      for (const spend of page) note(spend);
      return page;
    },
    payoutsSigned: async (payoutIds) =>
      (await ask({ method: "payoutsSigned", payoutIds })) as readonly SignedPayout[],
    readMark: async () => (await ask({ method: "readMark" })) as DatabaseMark | null,
    mark: async (mark) => (await ask({ method: "mark", ...mark })) as MarkOutcome,
    signatures: () => [...signatures.values()],
    hasJournalled: (txid) =>
      [folder, copyFolder].some(
        (each) => each !== null && ownDisk.contains(join(each, "spends.journal"), txid),
      ),
    backUp: async () => {
      backups += 1;
      try {
        return await backUpFolder(folder, join(folderOfBackups, `${backups}`), clock.now());
      } catch (error) {
        if (!ownDisk.hasEnded()) throw error;
        die();
        return null;
      }
    },
    restoreFolder: async ({ path }, losesCopy) => {
      stop();
      ownDisk.loseFolder(folder);
      if (copyFolder !== null && losesCopy) ownDisk.loseFolder(copyFolder);
      mayForget = copyFolder === null || losesCopy;
      const plan = await planRestore(path, folder, copyFolder);
      await plan.write();
    },
    snapshot: () => {
      const putBack = ownDisk.remember([folder, folderOfCopy]);
      return () => {
        stop();
        mayForget = true;
        putBack();
      };
    },
  };
}

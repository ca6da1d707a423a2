import { existsSync } from "node:fs";
import { join } from "node:path";
import { present } from "../platform/kernel/assert.ts";
import type { Clock } from "../platform/kernel/clock.ts";
import type { JsonValue } from "../platform/kernel/json.ts";
import type { Logger } from "../platform/kernel/logger.ts";
import { parseTimestamp } from "../platform/kernel/timestamp.ts";
import type { ChainSigner } from "./draft-signer.ts";
import { type AuditLog, openAuditLog } from "./journal/audit-log.ts";
import { JournalDamaged, type LineMirror } from "./journal/sealed-lines.ts";
import { openSpendJournal, type SpendJournal } from "./journal/spend-journal.ts";
import { createSpendTotals, type SpendTotals } from "./journal/spend-totals.ts";
import { parseApprovalPublicKey } from "./keys/approval-key.ts";
import type { SealedKeys } from "./keys/key-ring.ts";
import { readLimits, type SignerLimits } from "./limits-file.ts";
import { createSigning, describeForAudit, type Signing } from "./sign-spend.ts";
import type { FindAsset } from "./signer-policy.ts";

export type SigningOptions = {
  /** Contains the journal of signed spends, the audit log and `limits.json`. */
  readonly folder: string;
  /**
   * A folder on another disk, where the journal is written as well before anything signed leaves the signer. Null or absent:
   * none.
   */
  readonly copyFolder?: string | null;
  /** Where journal and audit log are written as well before a signature leaves; absent: nowhere. */
  readonly mirrors?: Readonly<Record<"spends.journal" | "audit.log", LineMirror>>;
  /** The limits if there is no limits file; null: then nothing is signed. */
  readonly limitsWhenAbsent: JsonValue;
  /** Ed25519 public keys that may approve payouts, 32 bytes in base64. */
  readonly approvalKeys: readonly string[];
  /** The asset of each currency of a chain, by the signer's own configuration. */
  readonly findAsset: FindAsset;
  /** Creates the chains' draft signers; `coldOf` returns the cold address of each. */
  readonly draftSigners: (coldOf: (chain: string) => string | null) => readonly ChainSigner[];
};

export type OpenedSigning = {
  readonly signing: Signing;
  readonly journal: SpendJournal;
  readonly close: () => Promise<void>;
};

/**
 * Opens everything that signing needs. Rejects with `JournalDamaged` if a file was altered, or if journal and audit log do not
 * belong together because one of them is from an older backup or was cut; with `LimitsFault` for a faulty limits file.
 */
export async function openSigning(
  options: SigningOptions,
  context: {
    readonly keys: SealedKeys;
    readonly spendJournalKey: Uint8Array;
    readonly clock: Clock;
    readonly logger: Logger;
  },
): Promise<OpenedSigning> {
  const { folder } = options;
  const { clock, logger, keys } = context;
  const limits = await readLimits(join(folder, "limits.json"), options.limitsWhenAbsent);
  const approvalKeys = options.approvalKeys.map(parseApprovalPublicKey);
  const totals = createSpendTotals();
  const audit = await openAuditLog(join(folder, "audit.log"), options.mirrors?.["audit.log"]);
  const closing: (() => Promise<void>)[] = [audit.close];
  const close = async (): Promise<void> => {
    for (const step of closing) await step();
  };
  try {
    const journal = await openJournal(options, context.spendJournalKey, totals, audit);
    closing.push(journal.close);
    await matchAudit(folder, journal, audit, { clock, logger });
    const draftSigners = options.draftSigners((chain) => coldOf(limits, chain));
    if (limits === null && draftSigners.length > 0) {
      logger.warn("no limits.json: nothing is signed until there is one", { folder });
    }
    const { findAsset } = options;
    const parts = { draftSigners, approvalKeys, limits, findAsset, keys, journal, totals, audit };
    const signing = createSigning({ ...parts, clock, logger });
    for (const signer of draftSigners) if ("close" in signer) closing.unshift(signer.close);
    closing.unshift(signing.idle);
    return { signing, journal, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function coldOf(limits: SignerLimits | null, chain: string): string | null {
  return limits === null || limits === "none" ? null : (limits.get(chain)?.cold ?? null);
}

async function openJournal(
  { folder, copyFolder = null, mirrors }: Pick<SigningOptions, "folder" | "copyFolder" | "mirrors">,
  key: Uint8Array,
  totals: SpendTotals,
  audit: AuditLog,
): Promise<SpendJournal> {
  const path = join(folder, "spends.journal");
  if (audit.newestSigned() > 0 && !existsSync(path)) {
    throw new JournalDamaged(
      `${path} is missing, but audit.log contains signed spends: restore it`,
    );
  }
  return openSpendJournal(
    path,
    key,
    (spend, firstPayouts, addedFee) => {
      const at = present(parseTimestamp(spend.signedAt), "a time of the journal");
      totals.add(spend, firstPayouts, addedFee, at);
    },
    copyFolder === null ? null : join(copyFolder, "spends.journal"),
    mirrors?.["spends.journal"],
  );
}

/** The most spends between the copies of log and journal in a backup of a running signer. */
const foundMax = 100;

/**
 * A spend is written to the journal first, then to the log, then answered. So the log may lack the newest spend after a crash
 * between the two, or several if it was copied first: they are copied from the journal. An empty log starts over: its predecessor
 * was moved away.
 */
async function matchAudit(
  folder: string,
  journal: SpendJournal,
  audit: AuditLog,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Promise<void> {
  const [journalled, audited] = [journal.newest(), audit.newestSigned()];
  const missing = journalled - audited;
  if (missing === 0) return;
  if (missing < 0) {
    throw new JournalDamaged(
      `${folder}: spends.journal ends at spend ${journalled}, but audit.log goes up to ${audited}: the journal is from an older backup, restore the newest`,
    );
  }
  const isNew = audit.isEmpty() && missing > 1;
  if (missing > foundMax && !isNew) {
    throw new JournalDamaged(
      `${folder}: audit.log lacks ${missing} spends of spends.journal: restore the newest log, or move it away to start another`,
    );
  }
  logger.warn("the audit log lacked signed spends", { missing });
  const reason = isNew ? "a new log that starts after this spend" : null;
  for (let place = isNew ? journalled : audited + 1; place <= journalled; place += 1) {
    const { txid, sequence, intent } = await journal.at(place);
    const entry = { outcome: "found", txid, sequence, reason } as const;
    await audit.append({ ...describeForAudit(intent, clock.now()), ...entry });
  }
}

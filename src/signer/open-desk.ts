import { join } from "node:path";
import type { Clock } from "../platform/kernel/clock.ts";
import type { Logger } from "../platform/kernel/logger.ts";
import { createAnswers } from "./answer-calls.ts";
import { createKeys } from "./create-keys.ts";
import { openMarkFile } from "./journal/database-mark.ts";
import { openIssueJournal } from "./journal/issue-journal.ts";
import { issuedKinds, type KeyNetwork, type KeyTree } from "./keys/account-paths.ts";
import type { SignerKeys } from "./keys/derive-keys.ts";
import type { SealedKeys } from "./keys/key-ring.ts";
import { openSigning, type SigningOptions } from "./open-signing.ts";
import type { Lead } from "./pair/lead.ts";
import type { Desk } from "./serve-signer.ts";

/**
 * Opens journals, mark and signing in the signer's folder, and answers from them. `mirrors` are the other signer's copies of the
 * files; absent: there is none. Rejects as `openSigning` does.
 */
export async function openDesk(
  settings: {
    readonly folder: string;
    readonly copyFolder: string | null;
    readonly network: KeyNetwork;
    readonly keyTrees: readonly KeyTree[];
    readonly mirrors?: Lead["mirrors"];
    readonly markMirror?: Lead["markMirror"];
  },
  context: SignerKeys & {
    readonly keys: SealedKeys;
    readonly options: SigningOptions;
    readonly clock: Clock;
    readonly logger: Logger;
  },
): Promise<{ readonly answer: Desk["answer"]; readonly close: () => Promise<void> }> {
  const { folder, copyFolder, network, keyTrees, mirrors, markMirror } = settings;
  const { keys, accounts, journalKey, spendJournalKey, markKey, clock, logger } = context;
  const closing: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const step of closing) await step();
  };
  try {
    const issued = await openIssueJournal(
      join(folder, "issued.journal"),
      journalKey,
      copyFolder === null ? null : join(copyFolder, "issued.journal"),
      mirrors?.["issued.journal"],
    );
    closing.unshift(issued.close);
    const mark = await openMarkFile(join(folder, "database.mark"), markKey, markMirror);
    closing.unshift(mark.close);
    const options = mirrors === undefined ? context.options : { ...context.options, mirrors };
    const opened = await openSigning(options, { keys, spendJournalKey, clock, logger });
    closing.unshift(opened.close);
    const creation = { network, keyTrees, keys, issued };
    const answer = createAnswers({
      accounts,
      kinds: issuedKinds(keyTrees),
      issued,
      spends: opened.journal,
      mark,
      createKeys: (range) => createKeys(creation, range),
      signing: opened.signing,
    });
    return { answer, close };
  } catch (error) {
    await close();
    throw error;
  }
}

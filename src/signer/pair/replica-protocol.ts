/** What the active signer asks of the standby. Every request names the epoch and the signer that sends it. */
export type ReplicaCall = {
  readonly method: "replica";
  readonly epoch: number;
  readonly from: string;
  /** Counts the times that the active signer connected in its epoch. What is left of an earlier connection is refused. */
  readonly session: number;
  readonly action: ReplicaAction;
};

/** The files that both signers keep line by line. */
export const replicatedFiles = ["issued.journal", "spends.journal", "audit.log"] as const;
export type ReplicatedFile = (typeof replicatedFiles)[number];

export type ReplicaAction =
  /** Says that the active signer is alive, and asks whether it still is the active one and whether nothing is missing. */
  | { readonly kind: "heartbeat"; readonly newest: NewestWritten }
  /** Asks for a `ReplicaState`, and begins the session. */
  | { readonly kind: "state" }
  /** Appends lines after the line with the seal `previous`; the last one then has `seal`. */
  | {
      readonly kind: "append";
      readonly file: ReplicatedFile;
      readonly previous: string;
      readonly lines: readonly string[];
      readonly seal: string;
    }
  /** Removes what follows the line with that seal: it never left a signer. */
  | { readonly kind: "cut"; readonly file: ReplicatedFile; readonly seal: string }
  /** Replaces the mark's file. */
  | { readonly kind: "mark"; readonly text: string }
  /** Adds a token of the folder (`FolderTokens`), before the witness gets it. */
  | { readonly kind: "token"; readonly token: string }
  /** The active signer ends: the standby takes over at once. */
  | { readonly kind: "resign" };

/** What the active signer wrote last; null if nothing since it started. */
export type NewestWritten = {
  readonly seals: Readonly<Record<ReplicatedFile, string | null>>;
  /** The text of the mark's file. */
  readonly mark: string | null;
};

export type ReplicaState = {
  /** The newest seals of each file, the newest last. */
  readonly seals: Readonly<Record<ReplicatedFile, readonly string[]>>;
  /** Tells whether both signers have the same limits and approval keys. */
  readonly policy: string;
};

/** `refused`: not from this signer in this epoch, or it does not follow from what the standby has. */
export type ReplicaReply =
  | { readonly kind: "done" }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "state"; readonly state: ReplicaState };

/** How many of its newest seals a standby tells. A crash leaves at most one line in each file that the other lacks. */
export const sealsTold = 100;

const linesMax = 10_000;
const tokenLengthMax = 100;

/** Null for anything that is not such a call. */
export function parseReplicaCall(call: Readonly<Record<string, unknown>>): ReplicaCall | null {
  const { method, epoch, from, session, action } = call;
  if (method !== "replica" || typeof from !== "string") return null;
  if (typeof epoch !== "number" || !Number.isSafeInteger(epoch)) return null;
  if (typeof session !== "number" || !Number.isSafeInteger(session)) return null;
  if (typeof action !== "object" || action === null) return null;
  const parsed = parseAction(action as Readonly<Record<string, unknown>>);
  return parsed === null ? null : { method, epoch, from, session, action: parsed };
}

function parseAction(action: Readonly<Record<string, unknown>>): ReplicaAction | null {
  const { kind, file, previous, lines, seal, text, token, newest } = action;
  if (kind === "state" || kind === "resign") return { kind };
  if (kind === "heartbeat") return isNewestWritten(newest) ? { kind, newest } : null;
  if (kind === "mark") return typeof text === "string" ? { kind, text } : null;
  if (kind === "token")
    return typeof token === "string" && token.length <= tokenLengthMax ? { kind, token } : null;
  if (!isReplicatedFile(file) || !isSeal(seal)) return null;
  if (kind === "cut") return { kind, file, seal };
  if (kind !== "append" || !isSeal(previous) || !isLines(lines)) return null;
  return { kind, file, previous, lines, seal };
}

function isNewestWritten(value: unknown): value is NewestWritten {
  const { seals, mark } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof seals !== "object" || seals === null) return false;
  const all = seals as Readonly<Record<string, unknown>>;
  const areSeals = replicatedFiles.every((file) => all[file] === null || isSeal(all[file]));
  return areSeals && (mark === null || typeof mark === "string");
}

function isReplicatedFile(value: unknown): value is ReplicatedFile {
  return replicatedFiles.some((file) => file === value);
}

function isSeal(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

function isLines(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length <= linesMax &&
    value.every((line) => typeof line === "string" && !line.includes("\n"))
  );
}

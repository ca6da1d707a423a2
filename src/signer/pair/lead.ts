import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { MarkMirror } from "../journal/database-mark.ts";
import type { LineMirror } from "../journal/sealed-lines.ts";
import { NotTheActive } from "../serve-signer.ts";
import type { FolderTokens } from "./folder-tokens.ts";
import { type JoinedPeer, joinPeer, type LeadingFiles } from "./join-peer.ts";
import { keepOwnRecord } from "./own-record.ts";
import type { PairSettings } from "./pair-settings.ts";
import type { Peer } from "./peer.ts";
import { type ReplicaAction, type ReplicatedFile, replicatedFiles } from "./replica-protocol.ts";
import type { Witness, Witnessed } from "./witness.ts";

/**
 * The active signer's side of a pair. What it writes is on the standby's disk before it counts, or the witness has removed the
 * standby from those that may take over.
 */
export type Lead = {
  readonly mirrors: Readonly<Record<ReplicatedFile, LineMirror>>;
  readonly markMirror: MarkMirror;
  /**
   * Resolves once the standby has what an earlier process of this signer wrote, or has no right to take over: what is written from then on
   * is the first line in a file that it lacks. Rejects as `confirm` does.
   */
  readonly ready: () => Promise<void>;
  /**
   * Resolves if this signer is the active one: no other could have taken over before the call. Rejects with `NotTheActive`
   * once it is not.
   */
  readonly confirm: () => Promise<void>;
  /** Whether the standby may take over, and since when it last had everything. */
  readonly state: () => { readonly isInSync: boolean; readonly confirmedAt: Instant };
  /** Tells the standby to take over. Nothing may be written afterwards. */
  readonly resign: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const beatMs = 1_000;
/** How old a copy of the folder may be without being noticed: a minute. */
const beatsOfToken = 60;
const retryMs = 200;

/**
 * Begins to lead with the record that the witness granted. `onDeposed` is called once, when another signer has become active:
 * the process then has to end, and to start again as a standby.
 */
export function lead(
  settings: Pick<PairSettings, "name"> &
    Pick<LeadingFiles, "folder" | "policy"> & {
      /** The standby's name. */
      readonly standby: string;
      /** The text of the mark's file now. */
      readonly markText: string | null;
    },
  granted: Witnessed,
  context: {
    readonly witness: Witness;
    /** Connects to the standby; see `ReplicaCall` for `session`. */
    readonly connect: (session: number) => Peer;
    readonly tokens: FolderTokens;
    readonly clock: Clock;
    readonly logger: Logger;
    readonly onDeposed: () => void;
  },
): Lead {
  const { name, standby, folder, policy } = settings;
  const { tokens, clock, logger } = context;
  const ending = new AbortController();
  const newest = new Map<ReplicatedFile, string>();
  let { markText } = settings;
  const own = keepOwnRecord(standby, granted, context);
  const { isInSync } = own;
  let joined: JoinedPeer | null = null;
  let session = 0;
  let confirmedAt = clock.now();
  let inSyncTold = 0;
  const firstJoin = Promise.withResolvers<undefined>();
  const { tell, forget } = createNotices(logger, standby);

  const giveUp = (gone: JoinedPeer, error: unknown): void => {
    gone.peer.close();
    if (joined !== gone) return;
    joined = null;
    tell("the standby is away", { error: errorMessage(error) });
  };

  /** One removal at a time. Never rejects. */
  let removing: Promise<void> | null = null;
  const remove = (): Promise<void> => {
    removing ??= own
      .replace((record) => ({ ...record, inSync: [name] }))
      .then(() => {
        if (!isInSync()) tell("the standby was removed: it may not take over until it is back");
      })
      .catch((error: unknown) => {
        tell("the witness does not answer", { error: errorMessage(error) });
      })
      .finally(() => {
        removing = null;
      });
    return removing;
  };

  /** Resolves once the standby has it, or has no right to take over. */
  const deliver = async (describe: () => ReplicaAction, isLive: (peer: JoinedPeer) => boolean) => {
    for (;;) {
      if (own.isOver() || ending.signal.aborted) {
        throw new NotTheActive(`${name} is not the active signer any more`);
      }
      const peer = joined;
      if (peer !== null && isLive(peer)) {
        try {
          await peer.peer.ask(describe());
          if (isLiveWithAll(peer)) confirmedAt = clock.now();
          return;
        } catch (error) {
          giveUp(peer, error);
        }
      }
      if (!isInSync()) return;
      await remove();
      if (isInSync()) await clock.sleep(retryMs, ending.signal);
    }
  };

  const mirrorOf = (file: ReplicatedFile): LineMirror => ({
    write: async ({ body, previous, seal }) => {
      newest.set(file, seal);
      const action = { kind: "append", file, previous, lines: [body], seal } as const;
      await deliver(
        () => action,
        ({ live }) => live.has(file),
      );
    },
  });

  const join = async (): Promise<void> => {
    session += 1;
    const candidate: JoinedPeer = { peer: context.connect(session), live: new Set() };
    joined = candidate;
    try {
      await joinPeer(candidate, {
        folder,
        policy,
        newestOf: (file) => newest.get(file) ?? null,
        markText: () => markText,
        folderToken: () => own.newest().folderToken,
        clock,
      });
    } catch (error) {
      giveUp(candidate, error);
    }
  };

  /** Lets the standby take over, unless it was given up while it joined: then it lacks what was written since. */
  const add = async (): Promise<void> => {
    const live = joined;
    if (live === null || !isLiveWithAll(live)) return;
    if (!isInSync()) {
      try {
        await own.replace((record) =>
          joined === live ? { ...record, inSync: [name, standby] } : null,
        );
      } catch (error) {
        giveUp(live, error);
        return;
      }
    }
    if (isInSync() && inSyncTold !== session) {
      inSyncTold = session;
      forget();
      logger.info("the standby is in sync", { standby });
    }
  };

  /** The standby gets the token first: without it, it could not take over. */
  const renewToken = async (): Promise<void> => {
    try {
      const folderToken = await tokens.draw();
      await deliver(() => ({ kind: "token", token: folderToken }), isLiveWithAll);
      await own.replace((record) => ({ ...record, folderToken }));
      if (own.newest().folderToken === folderToken) await tokens.keep(folderToken);
    } catch (error) {
      tell("the folder's token was not renewed", { error: errorMessage(error) });
    }
  };

  const beat = async (): Promise<void> => {
    for (let beats = 1; !ending.signal.aborted && !own.isOver(); beats += 1) {
      if (joined === null) await join();
      else await deliver(() => heartbeatOf(newest, markText), isLiveWithAll);
      firstJoin.resolve(undefined);
      await add();
      // A standby that could take over while it lacks what is written here must not be left in the record.
      if (joined === null && isInSync()) await remove();
      if (beats % beatsOfToken === 0 || own.newest().folderToken === null) await renewToken();
      await clock.sleep(beatMs, ending.signal);
    }
  };
  const beating = beat()
    .catch((error: unknown) => {
      if (!own.isOver()) logger.error("the pair's heartbeat ended", { error: errorMessage(error) });
    })
    .finally(() => {
      firstJoin.resolve(undefined);
    });
  const confirm = (): Promise<void> => deliver(() => heartbeatOf(newest, markText), isLiveWithAll);

  return {
    mirrors: ofEachFile(mirrorOf),
    markMirror: {
      write: async (text) => {
        markText = text;
        await deliver(
          () => ({ kind: "mark", text }),
          ({ live }) => live.has("database.mark"),
        );
      },
    },
    ready: async () => {
      // One that may not take over may lack a lot.
      if (!isInSync()) return;
      await firstJoin.promise;
      await confirm();
    },
    confirm,
    state: () => ({ isInSync: isInSync(), confirmedAt }),
    resign: async () => {
      const peer = joined;
      if (peer === null || !isLiveWithAll(peer) || !isInSync()) return;
      await peer.peer.ask({ kind: "resign" }).catch((error: unknown) => {
        logger.warn("the standby did not answer", { error: errorMessage(error) });
      });
    },
    close: async () => {
      ending.abort();
      joined?.peer.close();
      await beating;
    },
  };
}

/** Logs once for each new reason: a standby that was away may refuse to pair when it is back. */
function createNotices(logger: Logger, standby: string) {
  let told = "";
  return {
    tell: (message: string, fields: { readonly error?: string } = {}): void => {
      const reason = `${message} ${fields.error ?? ""}`;
      if (told !== reason) logger.warn(message, { standby, ...fields });
      told = reason;
    },
    forget: (): void => {
      told = "";
    },
  };
}

function isLiveWithAll({ live }: JoinedPeer): boolean {
  return live.has("database.mark") && replicatedFiles.every((file) => live.has(file));
}

/** Names what was written, since a line that the standby refused may be read here before the refusal is. */
function heartbeatOf(
  newest: ReadonlyMap<ReplicatedFile, string>,
  mark: string | null,
): ReplicaAction {
  const sealOf = (file: ReplicatedFile): string | null => newest.get(file) ?? null;
  return {
    kind: "heartbeat",
    newest: {
      seals: {
        "issued.journal": sealOf("issued.journal"),
        "spends.journal": sealOf("spends.journal"),
        "audit.log": sealOf("audit.log"),
      },
      mark,
    },
  };
}

function ofEachFile(mirrorOf: (file: ReplicatedFile) => LineMirror): Lead["mirrors"] {
  return {
    "issued.journal": mirrorOf("issued.journal"),
    "spends.journal": mirrorOf("spends.journal"),
    "audit.log": mirrorOf("audit.log"),
  };
}

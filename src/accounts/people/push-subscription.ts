import { listInMemory, type MemoryList } from "../../platform/kernel/list-in-memory.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { arePushKeys } from "../../platform/push/encrypt-push.ts";
import { pushAuthContext } from "../../platform/push/sealing-contexts.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Principal } from "../principal.ts";
import { chooseTopics, readContact } from "./contact.ts";
import type { ClientInfo, PeopleContext } from "./context.ts";
import type { NewSubscription, PushSubscription } from "./push-browser.ts";
import {
  readSubscriptions,
  removeFromOthers,
  removeOldestSubscriptions,
  removeSubscriptionRow,
  saveSubscription,
} from "./push-subscription.store.ts";
import { assertOwnPassword, requirePerson } from "./require-person.ts";
import { shortUserAgent } from "./user-agent.ts";

export type PushingContext = PeopleContext & {
  /** Whether the deployment sends web push. */
  readonly sendsPush: boolean;
  /** Why a text is no endpoint that may be reached; null if it is one. */
  readonly endpointFault: (text: string) => string | null;
  /** What a member is notified of who chose nothing before. */
  readonly defaultTopics: readonly string[];
};

/** As many browsers as one person uses; an older one is removed for a new one. */
const browsersMax = 20;

const memoryList: MemoryList<PushSubscription> = {
  id: ({ id }) => id,
  filters: {},
  sort: { created_at: ({ createdAt }) => createdAt },
};

/** The caller's browsers. */
export async function listSubscriptions(
  { db }: Pick<PeopleContext, "db">,
  person: Principal,
  query: ListQuery,
): Promise<Page<PushSubscription>> {
  return listInMemory(await readSubscriptions(db, person), memoryList, query);
}

/**
 * Notifies the caller in its browser from now on; calling again with the same endpoint updates it. A member who chose no topics gets
 * those of its emails, or all. Rejects `permissionDenied` for programs and where the deployment sends no push, `invalidValue` for an
 * endpoint that may not be reached and for keys that cannot be encrypted to.
 */
export async function subscribeBrowser(
  context: PushingContext,
  principal: Principal,
  subscription: NewSubscription,
  from: Pick<ClientInfo, "userAgent">,
): Promise<PushSubscription> {
  const { clock, random, seal } = context;
  const person = requirePerson(principal);
  assertOwnPassword(person);
  const { sessionId } = person;
  assertUsable(context, subscription);
  const { endpoint, auth, ...rest } = subscription;
  const browser = shortUserAgent(from.userAgent);
  const now = clock.now();
  return context.db.transaction(async (tx) => {
    await removeFromOthers(tx, principal, endpoint);
    const saved = await saveSubscription(
      tx,
      principal,
      {
        ...rest,
        endpoint,
        authSealed: seal.seal(auth, pushAuthContext(endpoint)),
        sessionNumber: sessionId,
        browser,
      },
      now,
    );
    if (saved === null)
      return reject("invalidValue", "Another member subscribed this browser just now. Try again.", {
        pointer: "/data/attributes/endpoint",
      });
    if (saved.isNew) {
      await removeOldestSubscriptions(tx, principal, browsersMax);
      const { topics, pushTopics } = await readContact({ db: tx, clock }, principal);
      const chosen = topics.length > 0 ? topics : context.defaultTopics;
      if (pushTopics.length === 0)
        await chooseTopics({ db: tx, random }, principal, { push: chosen });
      await recordAudit(tx, {
        by: principal,
        action: "push.added",
        object: { type: "member", id: principal.memberId },
        summary: { browser },
        at: now,
      });
    }
    const all = await readSubscriptions(tx, principal);
    const stored = all.find(({ id }) => id === saved.id);
    return stored ?? { id: saved.id, browser, endpoint, createdAt: now, sessionNumber: sessionId };
  });
}

function assertUsable(
  { sendsPush, endpointFault }: PushingContext,
  subscription: NewSubscription,
): void {
  if (!sendsPush) reject("permissionDenied", "This deployment doesn't send web push.");
  const fault = endpointFault(subscription.endpoint);
  if (fault !== null)
    reject("invalidValue", `This push service isn't allowed. ${fault}`, {
      pointer: "/data/attributes/endpoint",
    });
  if (!arePushKeys(subscription))
    reject("invalidValue", "p256dh and auth aren't the keys of a push subscription.", {
      pointer: "/data/attributes/p256dh",
    });
}

/** Ends the notifications in one of the caller's browsers. False if the caller has no such browser. */
export function unsubscribeBrowser(
  { db, clock }: Pick<PeopleContext, "db" | "clock">,
  principal: Principal,
  id: string,
): Promise<boolean> {
  requirePerson(principal);
  return db.transaction(async (tx) => {
    const browser = await removeSubscriptionRow(tx, principal, id);
    if (browser === null) return false;
    await recordAudit(tx, {
      by: principal,
      action: "push.removed",
      object: { type: "member", id: principal.memberId },
      summary: { browser },
      at: clock.now(),
    });
    return true;
  });
}

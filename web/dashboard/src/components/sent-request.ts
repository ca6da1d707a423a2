import { isDefiniteAnswer } from "./is-definite-answer.ts";

/**
 * A request that creates a payout, sent without a definite answer yet. Resending the same request with the same key never creates
 * a second payout.
 */
export type SentRequest<Request> = {
  readonly key: string;
  readonly request: Request;
};

export type SentStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** The name under which a member's requests are recorded: in this tab, the next member must neither see nor send them. */
export function sentBy(memberId: string | null, name: string): string {
  return memberId === null ? name : `${name}-of-${memberId}`;
}

/** The tab's recorded request of that name, also after a reload; null if there is none. */
export function readSent<Request>(storage: SentStorage, name: string): SentRequest<Request> | null {
  const text = storage.getItem(storageKey(name));
  if (text === null) return null;
  try {
    const sent = JSON.parse(text) as Partial<SentRequest<Request>> | null;
    return typeof sent?.key === "string" && typeof sent.request === "object"
      ? (sent as SentRequest<Request>)
      : null;
  } catch {
    return null;
  }
}

/** Called after a definite answer, and to give up on one. */
export function forgetSent(storage: SentStorage, name: string): void {
  storage.removeItem(storageKey(name));
}

/** Records the request before sending it, so that a crash cannot lose it, until a definite answer arrives. */
export async function sendRecorded<Request, Answer>(
  storage: SentStorage,
  name: string,
  sent: SentRequest<Request>,
  send: (sent: SentRequest<Request>) => Promise<Answer>,
): Promise<Answer> {
  storage.setItem(storageKey(name), JSON.stringify(sent));
  try {
    const answer = await send(sent);
    forgetSent(storage, name);
    return answer;
  } catch (error) {
    if (isDefiniteAnswer(error)) forgetSent(storage, name);
    throw error;
  }
}

function storageKey(name: string): string {
  return `sluice-${name}-sent`;
}

import { present } from "../platform/kernel/assert.ts";
import type { RenderedPush } from "../platform/push/send-pushes.ts";
import { boundedText } from "./bounded-text.ts";
import { knownLanguage } from "./email-language.ts";
import type { Digest } from "./notice.ts";
import { listedLines, noticeWords } from "./notice-text.ts";
import { type Topic, topicPages } from "./topic.ts";

const titleMax = 100;
const lineMax = 160;

/** What a browser shows of a member's notices of one topic: the texts of emails, without addresses. */
export function pushText(topic: Topic, { count, notices }: Digest, language: string): RenderedPush {
  const spoken = knownLanguage(language);
  const words = noticeWords[spoken];
  const first = present(notices[0], "the first notice of a message");
  // A single notice of the former version has no event, and no title for payments.
  const title =
    count > 1
      ? words.many[topic](count)
      : first.event === undefined
        ? (first.title ?? words.titles.payment_received)
        : words.titles[first.event.kind];
  const told = notices.filter(({ event }) => event !== undefined);
  const lines = listedLines(told, spoken, { hasAddress: false }).map((line) =>
    boundedText(line, lineMax),
  );
  const rest = count - notices.length;
  const body =
    lines.length === 0
      ? words.details
      : [...lines, ...(rest > 0 ? [words.more(rest)] : [])].join("\n");
  return {
    title: boundedText(title, titleMax),
    body,
    path: count === 1 ? first.path : topicPages[topic],
    urgency: topic === "paid" ? "normal" : "high",
  };
}

import { boundedText, nameMax } from "./bounded-text.ts";
import type { EmailLanguage } from "./email-language.ts";
import type { Letter } from "./letter.ts";
import type { Digest, NoticeContent } from "./notice.ts";
import type { NoticeEvent } from "./notice-event.ts";
import { listedLines, noticeDetails, noticeLine, noticeNote, noticeWords } from "./notice-text.ts";
import { type Topic, topicPages } from "./topic.ts";

type Items = NonNullable<Letter["items"]>;
type Told = Pick<Letter, "subject" | "paragraphs"> & { readonly items: Items };

/** The email that tells a member's notices of one topic. `beneficiary`: as in `noticeDetails`, of a message about one. */
export function notificationLetter(
  topic: Topic,
  digest: Digest,
  language: EmailLanguage,
  site: { readonly baseUrl: string; readonly unsubscribeUrl: string | null },
  beneficiary: string | null = null,
): Letter {
  const words = noticeWords[language];
  const { count, notices } = digest;
  const href = (path: string): string => `${site.baseUrl}/ui/${path}`;
  const [first] = notices;
  const told =
    count === 1 && first !== undefined
      ? aboutOne(first, digest, language, beneficiary)
      : aboutMany(topic, digest, language, href);
  const page = topicPages[topic];
  return {
    ...told,
    language,
    action: {
      label: words.openDashboard,
      href: href(count === 1 ? (first?.path ?? page) : page),
    },
    footer: [words.why, { text: words.settings, href: href("profile") }],
    unsubscribeUrl: site.unsubscribeUrl,
  };
}

function aboutOne(
  content: NoticeContent,
  digest: Digest,
  language: EmailLanguage,
  beneficiary: string | null,
): Told {
  const { event, title, line } = content;
  if (event === undefined) {
    const subject = title === undefined ? line : `${title}: ${line}`;
    return { subject, paragraphs: [subject], items: [] };
  }
  const { titles, colon } = noticeWords[language];
  const told = `${titles[event.kind]}${colon}${noticeLine(event, language, { hasAddress: true })}`;
  const note = noticeNote(event, language);
  const details = [
    ...noticeDetails(event, language, beneficiary),
    ...shopDetail(event, digest, language),
  ];
  return {
    subject: told,
    paragraphs: note === null ? [told] : [told, note],
    items: details.map((text) => ({ text, href: null })),
  };
}

function aboutMany(
  topic: Topic,
  digest: Digest,
  language: EmailLanguage,
  href: (path: string) => string,
): Told {
  const { count, notices } = digest;
  const words = noticeWords[language];
  const title = words.many[topic](count);
  const lines = listedLines(notices, language, { hasAddress: true });
  const rest = count - notices.length;
  return {
    subject: title,
    paragraphs: [title, ...shopDetail(notices[0]?.event, digest, language)],
    items: [
      ...notices.map(({ path }, index) => ({ text: lines[index] ?? "", href: href(path) })),
      ...(rest > 0 ? [{ text: words.more(rest), href: null }] : []),
    ],
  };
}

/** The shop, for readers who have several; nodes belong to none. */
function shopDetail(
  event: NoticeEvent | undefined,
  { shop = "" }: Digest,
  language: EmailLanguage,
): readonly string[] {
  const isOfNode = event?.kind === "node_down" || event?.kind === "node_answers";
  const name = boundedText(shop, nameMax);
  const { labels, colon } = noticeWords[language];
  return isOfNode || name === "" ? [] : [`${labels.shop}${colon}${name}`];
}

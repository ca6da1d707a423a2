import { assertOwnSettings, changeTopics } from "../../accounts/people/change-topics.ts";
import { chooseLanguage, readContact, unsubscribe } from "../../accounts/people/contact.ts";
import {
  changeEmail,
  type MailingContext,
  verifyEmail,
} from "../../accounts/people/verify-email.ts";
import type { Principal } from "../../accounts/principal.ts";
import { type EmailLanguage, emailLanguages } from "../../notifications/email-language.ts";
import { isTopic, topics } from "../../notifications/topic.ts";
import { emailAddressMax } from "../../platform/kernel/email-address.ts";
import type { JsonValue } from "../../platform/kernel/json.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { base64url, providePushKey } from "../../platform/push/push-key.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import { boolean, described, nullable, oneOf, text } from "../../platform/resources/json-schema.ts";
import type { PlainRoute } from "../server/plain-route.ts";
import { getRoute, patchRoute, publicRoute, type Route } from "../server/route.ts";

type SettingsContext = MailingContext & {
  /** Whether the deployment sends web push. */
  readonly sendsPush: boolean;
};

const topicList = {
  type: "array",
  items: oneOf(topics),
  uniqueItems: true,
} as const;

const languageNames: Readonly<Record<EmailLanguage, string>> = {
  en: "English",
  de: "German",
  es: "Spanish",
  zh: "Chinese",
};
const languages = emailLanguages.map((value) => ({ value, name: languageNames[value] }));

const settingsResource = defineResource({
  type: "notification-settings",
  description:
    "What the calling member is notified by email and in its browsers, and where. The id is the member's.",
  attributes: {
    email: described(nullable(text), "Verified address; null: the member gets no email."),
    pending_email: described(
      nullable(text),
      "Address to which a verification link was sent that was not opened yet.",
    ),
    topics: described(topicList, "What the member is notified by email."),
    push_topics: described(topicList, "What the member is notified in its browsers."),
    language: described(
      nullable(oneOf(languages)),
      "Of emails about the member's access, and of invitations that it sends; null: English.",
    ),
    sends_email: described(boolean, "Whether this deployment has a mail server."),
    push_key: described(
      nullable(text),
      "Key for PushManager.subscribe() (RFC 8292), in base64url; null: this deployment sends no web push.",
    ),
  },
});

const settingsDocument = defineDocument({
  type: "notification-settings",
  id: "ignored",
  partial: true,
  fields: {
    email: {
      kind: "String",
      maxLength: emailAddressMax,
      description:
        "Sends a link to the address, which counts once the link is opened. Null removes it. For people who entered their password or second factor within the last five minutes.",
    },
    topics: { kind: "Field", schema: topicList },
    push_topics: { kind: "Field", schema: topicList },
    language: {
      kind: "Choice",
      choices: languages,
      description: "Of emails about your access, and of invitations that you send.",
    },
  },
});

const verificationResource = defineResource({
  type: "email-verification",
  description: "The verification of an email address by the link that was sent to it.",
  attributes: { email: text },
});

const verificationDocument = defineDocument({
  type: "email-verification",
  fields: { token: { kind: "String", required: true, maxLength: 64 } },
});

/** `/notification-settings/`: what the caller is notified, and the links in its emails. */
export function notificationSettingsRoutes(context: SettingsContext): readonly Route[] {
  const read = async (principal: Principal) => {
    const key = context.sendsPush ? await providePushKey(context) : null;
    const pushKey = key === null ? null : base64url(key.publicKey);
    return render(context, principal, await readContact(context, principal), pushKey);
  };
  return [
    getRoute({
      path: "/notification-settings/",
      summary: "Get your notification settings",
      resource: settingsResource,
      find: ({ principal }) => read(principal),
    }),
    patchRoute({
      path: "/notification-settings/",
      summary: "Change your notification settings",
      description: "A program changes only those of a member who has no login for the dashboard.",
      resource: settingsResource,
      document: settingsDocument,
      patch: async ({ principal }, input) => {
        const email = input.topics === undefined ? null : readTopics(input.topics, "topics");
        const push =
          input.push_topics === undefined ? null : readTopics(input.push_topics, "push_topics");
        await assertOwnSettings(context, principal);
        if (input.email !== undefined) await changeEmailTo(context, principal, input.email);
        await changeTopics(context, principal, { email, push });
        if (input.language !== undefined && input.language !== null)
          await chooseLanguage(context, principal, input.language);
        return read(principal);
      },
    }),
    publicRoute({
      path: "/email-verification/",
      summary: "Verify an email address",
      description: "With the token of the link that was sent to it. A token works once, for a day.",
      throttle: "token",
      provesSecret: true,
      resource: verificationResource,
      document: verificationDocument,
      answer: async (_request, { token }) => ({
        data: {
          type: "email-verification",
          id: "1",
          attributes: { email: await verifyEmail(context, token) },
        },
      }),
    }),
    ...unsubscribeRoutes(context),
  ];
}

/** A client may send a whole resource back with one change, so the address that counts already is not verified again. */
async function changeEmailTo(
  context: MailingContext,
  principal: Principal,
  email: string | null,
): Promise<void> {
  const contact = await readContact(context, principal);
  const isSame = email === contact.email && (email !== null || contact.pendingEmail === null);
  if (!isSame) await changeEmail(context, principal, email);
}

/** The link in each notification. Mail programs end them by POST (RFC 8058); people see a question first, since programs open links. */
function unsubscribeRoutes(context: MailingContext): readonly PlainRoute[] {
  const path = "/unsubscribe/{key}/";
  return [
    {
      kind: "plain",
      method: "GET",
      path,
      isHidden: true,
      throttle: "page",
      summary: "Ask whether to end notifications",
      handle: ({ params }) => ({
        status: 303,
        contentType: "text/plain; charset=utf-8",
        body: "",
        headers: {
          location: `/ui/unsubscribe#${encodeURIComponent(params["key"] ?? "")}`,
          "cache-control": "no-store",
        },
      }),
    },
    {
      kind: "plain",
      method: "POST",
      path,
      isHidden: true,
      throttle: "page_action",
      summary: "End notifications",
      handle: async ({ params }) => {
        const isKnown = await unsubscribe(context, params["key"] ?? "");
        if (!isKnown) reject("notFound", "This link isn't valid.");
        return {
          status: 200,
          contentType: "text/plain; charset=utf-8",
          body: "You will get no more notifications by email.\n",
          headers: { "cache-control": "no-store" },
        };
      },
    },
  ];
}

function readTopics(value: JsonValue, member: string): readonly string[] {
  const isList = Array.isArray(value) && value.every((entry) => typeof entry === "string");
  const chosen = isList ? (value as readonly string[]) : [];
  if (!isList || !chosen.every(isTopic))
    reject(
      "invalidValue",
      `A list of topics is needed: ${topics.map((topic) => topic.value).join(", ")}.`,
      { pointer: `/data/attributes/${member}` },
    );
  return topics.map((topic) => topic.value).filter((topic) => chosen.includes(topic));
}

function render(
  { sendsEmail }: Pick<MailingContext, "sendsEmail">,
  { memberId }: Principal,
  contact: Awaited<ReturnType<typeof readContact>>,
  pushKey: string | null,
): ResourceOf<typeof settingsResource> {
  return {
    type: "notification-settings",
    id: memberId,
    attributes: {
      email: contact.email,
      pending_email: contact.pendingEmail,
      topics: contact.topics.filter(isTopic),
      push_topics: contact.pushTopics.filter(isTopic),
      language: languages.find(({ value }) => value === contact.language)?.value ?? null,
      sends_email: sendsEmail,
      push_key: pushKey,
    },
  };
}

import { setTimeout as sleep } from "node:timers/promises";
import { list, object, text } from "../../src/http/docs/read-description.ts";
import { documentOf, type Recorder } from "./recorder.ts";

/** What the story sends emails about, and where the sandbox shows those that it received. */
export type MailStory = {
  /** The Owner's token, with a confirmed sign-in. */
  readonly owner: string;
  readonly mailUrl: string;
};

type Email = { readonly to: readonly string[]; readonly subject: string; readonly text: string };

/** A browser of nobody's, with the public key of RFC 8291's example. */
const browser = {
  endpoint: "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABexample",
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
  language: "en",
};

/**
 * The Owner chooses what to be notified of and verifies an address; Cy is invited, accepts, and forgets the password; another
 * invitation is sent again and withdrawn.
 */
export async function playMail({ ask }: Recorder, story: MailStory): Promise<void> {
  const { owner: as, mailUrl } = story;
  const settings = "/notification-settings/";
  await ask(`PATCH ${settings}`, settings, {
    as,
    body: documentOf("notification-settings", {
      email: "owner@shop.example",
      topics: ["paid", "on_hold", "approval_waiting"],
    }),
  });
  const verification = "/email-verification/";
  const verified = await tokenTo(mailUrl, "owner@shop.example", "");
  await ask(`POST ${verification}`, verification, {
    body: documentOf("email-verification", { token: verified }),
  });
  await ask(`GET ${settings}`, settings, { as });

  const browsers = "/push-subscription/";
  const { id } = await ask(`POST ${browsers}`, browsers, {
    as,
    body: documentOf("push-subscription", browser),
  });
  await ask(`GET ${browsers}`, browsers, { as });
  await ask("DELETE /push-subscription/{id}/", `${browsers}${id}/`, { as });

  const invitations = "/invitation/";
  const invite = (name: string, email: string) =>
    ask(`POST ${invitations}`, invitations, {
      as,
      body: documentOf("invitation", { email, name, role: "read_only" }),
    });
  await invite("Cy Doe", "cy@shop.example");
  const invited = await tokenTo(mailUrl, "cy@shop.example", "");
  const offer = "/invitation-offer/";
  await ask(`POST ${offer}`, offer, { body: documentOf("invitation-offer", { token: invited }) });
  const acceptance = "/invitation-acceptance/";
  await ask(`POST ${acceptance}`, acceptance, {
    body: documentOf("invitation-acceptance", {
      token: invited,
      login: "cy@shop.example",
      password: "a horse that was correct once",
    }),
  });
  const other = await invite("Kim Roe", "kim@shop.example");
  await ask("GET /invitation/", invitations, { as });
  await ask("GET /invitation/{id}/", `/invitation/${other.id}/`, { as });
  await ask("POST /invitation/{id}/resend/", `/invitation/${other.id}/resend/`, { as });
  await ask("DELETE /invitation/{id}/", `/invitation/${other.id}/`, { as });

  const reset = "/password-reset/";
  await ask(`POST ${reset}`, reset, {
    body: documentOf("password-reset", { login: "cy@shop.example" }),
  });
  const forgotten = await tokenTo(mailUrl, "cy@shop.example", invited);
  const completion = "/password-reset-completion/";
  await ask(`POST ${completion}`, completion, {
    body: documentOf("password-reset-completion", {
      token: forgotten,
      password: "a horse that is correct again",
    }),
  });
}

/** The token of the newest link that was sent to an address, once it is another than `earlier`. */
async function tokenTo(mailUrl: string, to: string, earlier: string): Promise<string> {
  for (let time = 0; time < 240; time += 1) {
    const emails = list((await (await fetch(mailUrl)).json()) as never).map(
      (email) => object(email) as unknown as Email,
    );
    const links = emails
      .filter((email) => email.to.includes(to))
      .map((email) => /https?:\/\/\S+#([\w-]{43})/.exec(email.text)?.[1]);
    const newest = text(links.findLast((token) => token !== undefined) ?? "");
    if (newest !== "" && newest !== earlier) return newest;
    await sleep(500);
  }
  throw new Error(`no link was sent to ${to}`);
}

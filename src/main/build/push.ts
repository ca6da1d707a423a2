import { compileCallbackPolicy } from "../../callbacks/callback-url.ts";
import { defaultPostSettings, deliveryPoster } from "../../callbacks/deliver/post-delivery.ts";
import { dnsResolver } from "../../callbacks/deliver/resolve-host.ts";
import { composeNotifications } from "../../notifications/compose-notifications.ts";
import type { Digest } from "../../notifications/notice.ts";
import { pushText } from "../../notifications/push-text.ts";
import { isTopic } from "../../notifications/topic.ts";
import { assert } from "../../platform/kernel/assert.ts";
import { type ClaimedPush, discardPushes } from "../../platform/push/push-message.store.ts";
import { type PushContext, sendPushes } from "../../platform/push/send-pushes.ts";
import type { Config } from "../config/config.ts";
import type { Foundation } from "./foundation.ts";
import type { Work } from "./mail.ts";
import { pushPolicy } from "./push-policy.ts";

const dnsTimeoutMs = 3_000;

/** Whom a push service's operators may write to (RFC 8292, 2.1); null: nobody is configured. */
export function pushContact({ web_push, mail, base_url }: Config): string | null {
  if (web_push.contact !== undefined) return web_push.contact;
  if (mail !== undefined) return `mailto:${mail.from}`;
  return base_url.startsWith("https:") ? base_url : null;
}

/** How a message of the outbox is shown in its browser. */
export function renderPush({
  id,
  topic,
  content,
  language,
}: ClaimedPush): ReturnType<typeof pushText> {
  assert(isTopic(topic), `push message ${id} has a topic`);
  return pushText(topic, content as unknown as Digest, language);
}

/**
 * The recurring work of telling members in their browsers. Where web push is turned off, what was recorded for it is deleted, so that
 * nothing old is sent when it is turned on again. `close` ends its connections.
 */
export function pushJobs(
  foundation: Foundation,
  isSandbox: boolean,
): { readonly jobs: readonly Work[]; readonly close: () => Promise<void> } {
  const { config, db, clock, random, logger, seal } = foundation;
  if (!config.web_push.enabled)
    return {
      jobs: [{ name: "push-messages", everyMs: 60_000, run: () => discardPushes(db) }],
      close: () => Promise.resolve(),
    };
  const poster = deliveryPoster(
    {
      clock,
      policy: compileCallbackPolicy(pushPolicy(config, isSandbox)),
      resolve: dnsResolver(dnsTimeoutMs),
    },
    defaultPostSettings,
  );
  const sending: PushContext = {
    db,
    clock,
    random,
    logger,
    seal,
    post: poster.post,
    render: renderPush,
    contact: pushContact(config),
  };
  const quietSeconds = config.web_push.quiet_seconds;
  return {
    jobs: [
      {
        name: "push-notifications",
        everyMs: 1_000,
        run: (signal) => composeNotifications({ db, clock, channel: "push", quietSeconds }, signal),
      },
      { name: "push-messages", everyMs: 1_000, run: (signal) => sendPushes(sending, signal) },
    ],
    close: poster.close,
  };
}

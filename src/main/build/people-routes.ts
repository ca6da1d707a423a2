import { defaultPeopleSettings, type PeopleContext } from "../../accounts/people/context.ts";
import type { SessionContext } from "../../accounts/tokens/session-context.ts";
import { createCallbackUrlCheck } from "../../callbacks/callback-url.ts";
import { auditEntryRoutes } from "../../http/accounts/audit-entry.ts";
import { credentialRoutes } from "../../http/accounts/credential.ts";
import { invitationRoutes } from "../../http/accounts/invitation.ts";
import { meRoutes } from "../../http/accounts/me.ts";
import { memberRoutes } from "../../http/accounts/member.ts";
import { notificationSettingsRoutes } from "../../http/accounts/notification-settings.ts";
import { passwordResetRoutes } from "../../http/accounts/password-reset.ts";
import { pushSubscriptionRoutes } from "../../http/accounts/push-subscription.ts";
import { secondFactorRoutes } from "../../http/accounts/second-factor.ts";
import { sessionRoutes } from "../../http/accounts/session.ts";
import { sessionFactorRoutes } from "../../http/accounts/session-factor.ts";
import { webhookSecretRoutes } from "../../http/accounts/webhook-secret.ts";
import type { Route } from "../../http/server/route.ts";
import { topics } from "../../notifications/topic.ts";
import type { Config } from "../config/config.ts";
import { isSandbox } from "../config/is-sandbox.ts";
import { pushPolicy } from "./push-policy.ts";

/** How people sign in to this deployment. */
export function peopleSettings(config: Config): PeopleContext["people"] {
  return {
    ...defaultPeopleSettings,
    approverMinAgeSeconds: config.people.approver_min_age_seconds,
    isSandbox: isSandbox(config),
  };
}

/** The routes for signing in as a person and for administering an account. */
export function peopleRoutes(session: SessionContext, config: Config): readonly Route[] {
  const context: PeopleContext = {
    ...session,
    people: peopleSettings(config),
  };
  const mailing = { ...context, sendsEmail: config.mail !== undefined };
  const pushing = {
    ...context,
    sendsPush: config.web_push.enabled,
    endpointFault: createCallbackUrlCheck(pushPolicy(config, isSandbox(config))),
    defaultTopics: topics.map(({ value }) => value),
  };
  return [
    ...sessionRoutes(context),
    ...sessionFactorRoutes(context),
    ...secondFactorRoutes(context),
    ...meRoutes(context),
    ...notificationSettingsRoutes({ ...mailing, sendsPush: config.web_push.enabled }),
    ...pushSubscriptionRoutes(pushing),
    ...invitationRoutes(mailing),
    ...passwordResetRoutes(mailing),
    ...memberRoutes(context),
    ...credentialRoutes(context),
    ...webhookSecretRoutes(context),
    ...auditEntryRoutes(context),
  ];
}

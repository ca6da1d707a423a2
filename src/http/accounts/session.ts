import type { ClientInfo, PeopleContext } from "../../accounts/people/context.ts";
import {
  endOtherSessions,
  endOwnSession,
  listOwnSessions,
  signOut,
} from "../../accounts/people/own-sessions.ts";
import type { OpenSession } from "../../accounts/people/person-session.ts";
import { refreshPersonSession } from "../../accounts/people/refresh-person-session.ts";
import { requirePerson } from "../../accounts/people/require-person.ts";
import { signIn } from "../../accounts/people/sign-in.ts";
import type { PersonTokens } from "../../accounts/people/start-session.ts";
import { unauthenticated } from "../../accounts/tokens/unauthenticated.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import {
  boolean,
  described,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";
import { deleteRoute } from "../server/delete-route.ts";
import type { RequestContext } from "../server/request-context.ts";
import { actionRoute, listRoute, type One, publicRoute, type Route } from "../server/route.ts";
import { requireSameOrigin } from "../server/same-origin.ts";
import { deviceCookie, sessionCookie } from "../server/session-cookie.ts";

const secondFactor = nullable(
  oneOf([
    { value: "totp", name: "a time-based code" },
    { value: "recovery_code", name: "a recovery code" },
    { value: "passkey", name: "a passkey" },
  ]),
);

export const sessionTokenResource = defineResource({
  type: "session-token",
  description:
    "The session of a signed-in browser: an access token for the header Authorization: Bearer. The refresh token is a cookie that only the session routes read.",
  attributes: {
    access: described(text, "Access token; empty after signing out."),
    member_id: described(
      nullable(text),
      "Who is signed in, also if another tab of the browser signed in since; null after signing out.",
    ),
    access_expired_at: nullable(timestamp),
    idle_expired_at: described(
      nullable(timestamp),
      "When the session ends unless it is refreshed.",
    ),
    session_expired_at: described(nullable(timestamp), "When it ends at the latest."),
    second_factor: described(secondFactor, "The second factor used to sign in."),
  },
});

const sessionResource = defineResource({
  type: "session",
  description: "An active session of the caller.",
  attributes: {
    created_at: timestamp,
    last_used_at: timestamp,
    expired_at: described(timestamp, "When it ends at the latest."),
    ip: text,
    user_agent: described(text, "Browser and operating system."),
    second_factor: secondFactor,
    is_current: described(boolean, "Whether this is the session of the current request."),
  },
  sortable: ["created_at", "last_used_at"],
  defaultSort: "-last_used_at",
});

const signInDocument = defineDocument({
  type: "session-token",
  fields: {
    login: { kind: "String", required: true },
    password: { kind: "String", required: true },
  },
});

type SessionToken = ResourceOf<typeof sessionTokenResource>;

/** Where the request came from, for the list of sessions and the audit log. */
export function clientInfo(
  { tokenSettings }: PeopleContext,
  { ip, header }: RequestContext,
): ClientInfo {
  const device = deviceCookie(tokenSettings.issuer).read(header("cookie"));
  return { ip, userAgent: header("user-agent") ?? "", device };
}

/** The response that starts or refreshes a session. */
export function sessionAnswer(
  context: PeopleContext,
  tokens: PersonTokens,
): One<typeof sessionTokenResource> {
  const baseUrl = context.tokenSettings.issuer;
  const now = context.clock.now();
  const { refresh, refreshExpiresAt, device } = tokens;
  const session = sessionCookie(baseUrl).set(refresh, now, refreshExpiresAt);
  const cookies =
    device === null
      ? [session]
      : [session, deviceCookie(baseUrl).set(device.value, now, device.expiresAt)];
  return { data: renderToken(tokens), headers: { "set-cookie": cookies } };
}

/** `/session/`: people sign in and out and manage their sessions. */
export function sessionRoutes(context: PeopleContext): readonly Route[] {
  return [...signInRoutes(context), ...ownSessionRoutes(context)];
}

function signInRoutes(context: PeopleContext): readonly Route[] {
  const baseUrl = context.tokenSettings.issuer;
  const cookie = sessionCookie(baseUrl);
  return [
    publicRoute({
      path: "/session/",
      summary: "Sign in a person",
      description:
        "For the dashboard; programs use /token/. A 401 with code second_factor_required contains a challenge in meta: send it with a code to /session/second-factor/. The response sets the refresh token as a cookie, and a second cookie that identifies this browser: its failed attempts are counted separately from those of its network.",
      throttle: "token",
      provesSecret: true,
      resource: sessionTokenResource,
      document: signInDocument,
      answer: async (request, input) => {
        requireSameOrigin(request, baseUrl);
        return sessionAnswer(context, await signIn(context, input, clientInfo(context, request)));
      },
    }),
    publicRoute({
      path: "/session/refresh/",
      summary: "Refresh a person's session",
      description:
        "Uses the cookie. Tabs that refresh at the same time get the same next token. Using an older token later ends the session.",
      throttle: "create",
      resource: sessionTokenResource,
      answer: async (request) => {
        requireSameOrigin(request, baseUrl);
        const refresh = cookie.read(request.header("cookie"));
        if (refresh === null) throw unauthenticated("token");
        const tokens = await refreshPersonSession(context, refresh, clientInfo(context, request));
        return sessionAnswer(context, tokens);
      },
    }),
    publicRoute({
      path: "/session/logout/",
      summary: "Sign out",
      description: "Ends the session of the cookie. Does nothing without a cookie.",
      throttle: "create",
      resource: sessionTokenResource,
      answer: async (request) => {
        requireSameOrigin(request, baseUrl);
        const refresh = cookie.read(request.header("cookie"));
        if (refresh !== null) await signOut(context, refresh, clientInfo(context, request));
        return { data: renderToken(null), headers: { "set-cookie": cookie.clear } };
      },
    }),
  ];
}

function ownSessionRoutes(context: PeopleContext): readonly Route[] {
  return [
    listRoute({
      path: "/session/",
      summary: "List your active sessions",
      resource: sessionResource,
      list: async ({ principal }, query) =>
        mapPage(await listOwnSessions(context, principal, query), (session) =>
          renderSession(session, principal.person?.sessionId ?? null),
        ),
    }),
    deleteRoute({
      path: "/session/{id}/",
      summary: "End one of your sessions",
      resource: sessionResource,
      remove: ({ principal, id }) => {
        requirePerson(principal);
        return endOwnSession(context, principal, id);
      },
    }),
    actionRoute({
      path: "/session/revoke-others/",
      summary: "End all your sessions except this one",
      resource: sessionTokenResource,
      act: async ({ principal }) => {
        requirePerson(principal);
        await endOtherSessions(context, principal);
        return renderToken(null);
      },
    }),
  ];
}

function renderToken(tokens: PersonTokens | null): SessionToken {
  return {
    type: "session-token",
    id: "0",
    attributes: {
      access: tokens?.access ?? "",
      member_id: tokens?.memberId ?? null,
      access_expired_at: tokens === null ? null : formatTimestamp(tokens.accessExpiresAt),
      idle_expired_at: tokens === null ? null : formatTimestamp(tokens.refreshExpiresAt),
      session_expired_at: tokens === null ? null : formatTimestamp(tokens.sessionExpiresAt),
      second_factor: tokens?.secondFactor ?? null,
    },
  };
}

function renderSession(
  session: OpenSession,
  current: string | null,
): ResourceOf<typeof sessionResource> {
  return {
    type: "session",
    id: session.id,
    attributes: {
      created_at: formatTimestamp(session.createdAt),
      last_used_at: formatTimestamp(session.lastUsedAt),
      expired_at: formatTimestamp(session.expiresAt),
      ip: session.ip,
      user_agent: session.userAgent,
      second_factor: session.secondFactor,
      is_current: session.id === current,
    },
  };
}

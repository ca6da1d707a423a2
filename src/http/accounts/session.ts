import type { PeopleContext, Whereabouts } from "../../accounts/people/context.ts";
import { endOtherSessions, endOwnSession, logOut } from "../../accounts/people/end-sessions.ts";
import { listOwnSessions } from "../../accounts/people/list-own-sessions.ts";
import type { PersonTokens } from "../../accounts/people/open-session.ts";
import type { OpenSession } from "../../accounts/people/own-session.ts";
import { refreshPersonSession } from "../../accounts/people/refresh-person-session.ts";
import { requirePerson } from "../../accounts/people/require-person.ts";
import { signIn } from "../../accounts/people/sign-in.ts";
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
    "What a signed-in browser holds: an access token for the header Authorization: Bearer. The refresh token is a cookie that only the session's own routes read.",
  attributes: {
    access: described(text, "Access token; empty after signing out."),
    access_expired_at: nullable(timestamp),
    idle_expired_at: described(
      nullable(timestamp),
      "When the session ends unless it is refreshed before.",
    ),
    session_expired_at: described(nullable(timestamp), "When it ends however busy it is."),
    second_factor: described(secondFactor, "What was given beside the password."),
  },
  relationships: {},
  filters: {},
  sortable: [],
  defaultSort: "id",
});

const sessionResource = defineResource({
  type: "session",
  description: "One of the caller's own open sessions.",
  attributes: {
    created_at: timestamp,
    last_used_at: timestamp,
    expired_at: described(timestamp, "When it ends however busy it is."),
    ip: text,
    user_agent: described(text, "Browser and system, in short."),
    second_factor: secondFactor,
    is_current: described(boolean, "Whether it is the one that asks."),
  },
  relationships: {},
  filters: {},
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
export function whereabouts(
  { tokenSettings }: PeopleContext,
  { ip, header }: RequestContext,
): Whereabouts {
  const device = deviceCookie(tokenSettings.issuer).read(header("cookie"));
  return { ip, userAgent: header("user-agent") ?? "", device };
}

/** The answer that opens or continues a session. */
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

/** `/session/`: people signing in and out, and their open sessions. */
export function sessionRoutes(context: PeopleContext): readonly Route[] {
  return [...signInRoutes(context), ...ownSessionRoutes(context)];
}

function signInRoutes(context: PeopleContext): readonly Route[] {
  const baseUrl = context.tokenSettings.issuer;
  const cookie = sessionCookie(baseUrl);
  return [
    publicRoute({
      path: "/session/",
      summary: "Sign a person in",
      description:
        "For the dashboard; programs use /token/. 401 with code second_factor_required names a challenge in meta, which /session/second-factor/ takes with a code. The refresh token comes as a cookie, and so does a proof that this browser has signed in: its wrong passwords are counted apart from its network's.",
      throttle: "token",
      resource: sessionTokenResource,
      document: signInDocument,
      answer: async (request, input) => {
        requireSameOrigin(request, baseUrl);
        return sessionAnswer(context, await signIn(context, input, whereabouts(context, request)));
      },
    }),
    publicRoute({
      path: "/session/refresh/",
      summary: "Continue a person's session",
      description:
        "Takes the cookie. Tabs that ask at the same moment get the same next token; one that comes back later ends the session.",
      throttle: "create",
      resource: sessionTokenResource,
      answer: async (request) => {
        requireSameOrigin(request, baseUrl);
        const refresh = cookie.read(request.header("cookie"));
        if (refresh === null) throw unauthenticated();
        const tokens = await refreshPersonSession(context, refresh, whereabouts(context, request));
        return sessionAnswer(context, tokens);
      },
    }),
    publicRoute({
      path: "/session/logout/",
      summary: "Sign out",
      description: "Ends the cookie's session; without one it does nothing.",
      throttle: "create",
      resource: sessionTokenResource,
      answer: async (request) => {
        requireSameOrigin(request, baseUrl);
        const refresh = cookie.read(request.header("cookie"));
        if (refresh !== null) await logOut(context, refresh, whereabouts(context, request));
        return { data: renderToken(null), headers: { "set-cookie": cookie.clear } };
      },
    }),
  ];
}

function ownSessionRoutes(context: PeopleContext): readonly Route[] {
  return [
    listRoute({
      path: "/session/",
      summary: "List own open sessions",
      resource: sessionResource,
      list: async ({ principal }, query) =>
        mapPage(await listOwnSessions(context, principal, query), (session) =>
          renderSession(session, principal.person?.sessionId ?? null),
        ),
    }),
    deleteRoute({
      path: "/session/{id}/",
      summary: "End one of the own sessions",
      resource: sessionResource,
      remove: ({ principal, id }) => {
        requirePerson(principal);
        return endOwnSession(context, principal, id);
      },
    }),
    actionRoute({
      path: "/session/revoke-others/",
      summary: "End all own sessions but this one",
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

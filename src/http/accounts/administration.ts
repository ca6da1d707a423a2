import {
  type Actor,
  type AdministrationContext,
  assertAdministratingPerson,
  ownTarget,
  type Target,
} from "../../accounts/actor.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { ApiRequest } from "../server/route.ts";

/** Rejects `permissionDenied` unless the caller is a person who administers its account. Checked before a request's body is. */
export function assertMayAdminister(principal: Principal): void {
  assertAdministratingPerson(principal, principal.accountId);
}

/** Runs administration on the object of the caller's account that the path names, and renders it; null if there is none. */
export function onOwn<Found, Rendered>(
  context: AdministrationContext,
  render: (found: Found) => Rendered,
) {
  return (
    run: (context: AdministrationContext, actor: Actor, target: Target) => Promise<Found | null>,
  ) =>
    async ({ principal, id }: ApiRequest): Promise<Rendered | null> => {
      const found = await run(context, principal, ownTarget(principal, id));
      return found === null ? null : render(found);
    };
}

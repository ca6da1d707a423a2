import { Navigate, useLocation } from "@tanstack/react-router";
import { useMe } from "../../api/me.ts";

/** Leads whoever signed in with a password that was handed to them to where they choose their own. */
export function MustChoosePassword() {
  const me = useMe();
  const { pathname } = useLocation();
  return me?.must_change_password === true && pathname !== "/profile" ? (
    <Navigate to="/profile" replace />
  ) : null;
}

import { notifications } from "@mantine/notifications";
import { signOut } from "../api/sign-in.ts";

/** Signs out, without what was shown about this member's data. */
export function leave(): void {
  notifications.clean();
  void signOut();
}

import { notifications } from "@mantine/notifications";
import { signOut } from "../api/sign-in.ts";
import { t } from "../language/t.ts";

/** Signs out, without what was shown about this member's data. Shows that the session continues if the service cannot be reached. */
export function leave(): void {
  notifications.clean();
  signOut().catch(() => {
    notifications.show({
      color: "red",
      title: t("Not signed out at the service"),
      message: t(
        "The service can't be reached, so your session continues there. Reload the page, and sign out again.",
      ),
      autoClose: false,
    });
  });
}

import { Button, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { signOut } from "../api/sign-in.ts";
import { t } from "../language/t.ts";

/** Signs out, without what was shown about this member's data. A sign-out that fails leaves the page as it is, and says so. */
export function leave(): void {
  notifications.clean();
  signOut().then(
    () => {
      notifications.clean();
    },
    () => {
      notifications.show({
        color: "red",
        title: t("You are still signed in"),
        message: (
          <Stack align="start" gap="xs">
            {t("The service did not respond, so your session was not ended.")}
            <Button size="xs" variant="default" onClick={leave}>
              {t("Try again")}
            </Button>
          </Stack>
        ),
        autoClose: false,
      });
    },
  );
}

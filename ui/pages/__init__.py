"""The pages of the app: functions that draw a value as widgets."""

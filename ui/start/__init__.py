"""The script that Streamlit runs. It lies alone: Streamlit puts its folder on the path of imports."""

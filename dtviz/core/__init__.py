"""The ground floor: what two chapters share."""

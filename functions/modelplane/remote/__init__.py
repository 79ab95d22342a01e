"""What runs elsewhere: objects and releases on workload clusters, and how those clusters are reached."""
